import { existsSync, readFileSync } from 'node:fs'
import { type Io, UsageError, display } from '../../output.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { type Finding, error } from './finding.ts'

/** The routes of released versions: `{ "versions": { "1": { "GET /api/users(.:format)": "users#index" } } }`. */
export interface Lock {
  readonly versions: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export function createLock({ rows }: RouteFile): Lock {
  const versions: Record<string, Record<string, string>> = {}
  for (const { version, method, path, key, action } of rows) {
    const routes = (versions[version] ??= {})
    routes[`${method} ${path}`] ??= `${key}#${action}`
  }
  return { versions }
}

/**
 * Reads a lock file.
 *
 * @throws UsageError when it is not there, or holds something else
 */
export function readLock(io: Io, path: string): Lock {
  const name = display(io, path)
  if (!existsSync(path))
    throw new UsageError(`there is no ${name}. Write it when a version is released: hv-router check --update-lock.`)
  let lock: Partial<Lock> | null
  try {
    lock = JSON.parse(readFileSync(path, 'utf8')) as Partial<Lock> | null
  } catch (cause) {
    throw new UsageError(`${name} cannot be read: ${(cause as Error).message}`)
  }
  if (typeof lock?.versions !== 'object' || lock.versions === null)
    throw new UsageError(`${name} is not a lock file: it has no versions. Write it with hv-router check --update-lock.`)
  return { versions: lock.versions }
}

/** What a released version lost or changed. New routes and new versions are fine. */
export function compareLock(released: Lock, current: Lock): readonly Finding[] {
  return Object.entries(released.versions).flatMap(([version, routes]): readonly Finding[] => {
    const now = current.versions[version]
    if (now === undefined) return [error('lost-version', `version ${version} is released, and not declared any more`)]
    return Object.entries(routes).flatMap(([route, target]): readonly Finding[] => {
      const found = now[route]
      if (found === target) return []
      return found === undefined
        ? [error('lost-route', `version ${version} is released, and lost ${route}`)]
        : [error('changed-route', `version ${version} is released, and ${route} changed from ${target} to ${found}`)]
    })
  })
}
