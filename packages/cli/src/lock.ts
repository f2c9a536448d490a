import { type Api, routeTable } from '@hv/router'
import type { Finding } from './check.ts'
import { controllerKeyOf } from './controller-key.ts'

/** The routes of released versions: `{ "versions": { "1": { "GET /api/users(.:format)": "users#index" } } }`. */
export interface Lock {
  readonly versions: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export function createLock(api: Api): Lock {
  const versions: Record<string, Record<string, string>> = {}
  for (const row of routeTable(api)) {
    const routes = (versions[row.version] ??= {})
    routes[`${row.method} ${row.path}`] ??= `${controllerKeyOf(api, row)}#${row.action}`
  }
  return { versions }
}

/** What a released version lost or changed. New routes and new versions are fine. */
export function compareLock(released: Lock, current: Lock): readonly Finding[] {
  return Object.entries(released.versions).flatMap(([version, routes]): readonly Finding[] => {
    const now = current.versions[version]
    if (now === undefined)
      return [{ code: 'lost-version', message: `version ${version} is released, and not declared any more` }]
    return Object.entries(routes).flatMap(([route, target]): readonly Finding[] => {
      if (now[route] === undefined)
        return [{ code: 'lost-route', message: `version ${version} is released, and lost ${route}` }]
      return now[route] === target
        ? []
        : [
            {
              code: 'changed-route',
              message: `version ${version} is released, and ${route} changed from ${target} to ${now[route]}`,
            },
          ]
    })
  })
}
