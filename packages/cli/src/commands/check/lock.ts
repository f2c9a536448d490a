import { existsSync, readFileSync } from 'node:fs'
import { type Io, UsageError, display } from '../../output.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { dateOf, lifeOfVersion } from '../../route-file/lives.ts'
import { type Finding, error } from './finding.ts'

/** The routes of released versions: `{ "versions": { "1": { "GET /api/users(.:format)": "users#index" } } }`. */
export interface Lock {
  readonly versions: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The sunsets that clients were told, by version, or by version and route: `{ "1": "2027-07-01" }`. */
  readonly sunsets?: Readonly<Record<string, string>>
}

export function createLock(routeFile: RouteFile): Lock {
  const { rows, lives } = routeFile
  const versions: Record<string, Record<string, string>> = {}
  for (const { version, method, path, key, action } of rows) {
    const routes = (versions[version] ??= {})
    routes[`${method} ${path}`] ??= `${key}#${action}`
  }
  const sunsets: Record<string, string> = {}
  for (const { number, life } of lives) if (typeof life?.sunset === 'number') sunsets[number] = dateOf(life.sunset)
  for (const { version, method, path, life } of rows) {
    const sunset = life?.sunset ?? null
    if (sunset !== null && sunset !== lifeOfVersion(routeFile, version)?.sunset)
      sunsets[`${version} ${method} ${path}`] ??= dateOf(sunset)
  }
  return Object.keys(sunsets).length === 0 ? { versions } : { versions, sunsets }
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
  return { versions: lock.versions, sunsets: lock.sunsets ?? {} }
}

/** What a released version lost or changed. New routes, new versions and later sunsets are fine. */
export function compareLock(released: Lock, routeFile: RouteFile, now: number): readonly Finding[] {
  const current = createLock(routeFile)
  return [...changedRoutes(released, current, routeFile, now), ...earlierSunsets(released, current)]
}

function changedRoutes(released: Lock, current: Lock, routeFile: RouteFile, now: number): readonly Finding[] {
  return Object.entries(released.versions).flatMap(([version, routes]): readonly Finding[] => {
    const isDeclared = routeFile.lives.some(({ number }) => String(number) === version)
    if (!isDeclared) return [error('lost-version', `version ${version} is released, and not declared any more`)]
    const sunset = lifeOfVersion(routeFile, Number(version))?.sunset ?? Infinity
    const found = current.versions[version] ?? {}
    return Object.entries(routes).flatMap(([route, target]): readonly Finding[] => {
      if (found[route] === target) return []
      if (found[route] === undefined)
        return sunset <= now ? [] : [error('lost-route', `version ${version} is released, and lost ${route}`)]
      const changed = `version ${version} is released, and ${route} changed from ${target} to ${found[route]}`
      return [error('changed-route', changed)]
    })
  })
}

/** Clients plan with the sunset that they were told. */
function earlierSunsets({ sunsets = {} }: Lock, current: Lock): readonly Finding[] {
  return Object.entries(sunsets).flatMap(([what, told]): readonly Finding[] => {
    // A route without a sunset of its own ends with its version.
    const now = current.sunsets?.[what] ?? current.sunsets?.[what.split(' ', 1)[0]!]
    if (now === undefined || Date.parse(now) >= Date.parse(told)) return []
    return [error('earlier-sunset', `version ${what} is released with the sunset ${told}, which moved to ${now}`)]
  })
}
