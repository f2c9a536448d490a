import { existsSync, readFileSync } from 'node:fs'
import { type Io, UsageError, display } from '../../output.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { dateOf, lifeOfVersion } from '../../route-file/lives.ts'
import type { Documents } from '../../project/documents.ts'
import { type Finding, error, warning } from './finding.ts'
import { compareContracts, lockDocuments } from './locked-documents.ts'
import { constraintsOf, releasedConstraint, shapeOf } from './locked-routes.ts'
import { type LockedSettings, compareSettings, lockSettings } from './locked-settings.ts'

/** A lock file: what clients of the released versions rely on. Files of earlier releases have no `lockVersion`, and only routes. */
export interface Lock {
  readonly lockVersion?: 2
  readonly settings?: LockedSettings
  /** `{ "1": { "GET /api/users(.:format)": "users#index" } }` */
  readonly versions: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** By version and route: `{ "1 GET /api/users/:id(.:format)": { "id": "/\\d+/" } }`. */
  readonly constraints?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The paths and components of the OpenAPI documents, by version. */
  readonly documents?: Documents
  /** The sunsets that clients were told, by version, or by version and route: `{ "1": "2027-07-01" }`. */
  readonly sunsets?: Readonly<Record<string, string>>
}

const lockVersion = 2

export function createLock(routeFile: RouteFile, documents: Documents | null = null): Lock {
  const { rows, lives } = routeFile
  const versions: Record<string, Record<string, string>> = {}
  const constraints: Record<string, Record<string, string>> = {}
  for (const row of rows) {
    const { version, method, path, key, action } = row
    const routes = (versions[version] ??= {})
    if (routes[`${method} ${path}`] !== undefined) continue
    routes[`${method} ${path}`] = `${key}#${action}`
    if (Object.keys(row.constraints).length > 0) constraints[`${version} ${method} ${path}`] = constraintsOf(row)
  }
  const sunsets: Record<string, string> = {}
  for (const { number, life } of lives) if (typeof life?.sunset === 'number') sunsets[number] = dateOf(life.sunset)
  for (const { version, method, path, life } of rows) {
    const sunset = life?.sunset ?? null
    if (sunset !== null && sunset !== lifeOfVersion(routeFile, version)?.sunset)
      sunsets[`${version} ${method} ${path}`] ??= dateOf(sunset)
  }
  return {
    lockVersion,
    settings: lockSettings(routeFile.settings),
    versions,
    ...(Object.keys(constraints).length > 0 && { constraints }),
    ...(Object.keys(sunsets).length > 0 && { sunsets }),
    ...(documents !== null && { documents: lockDocuments(documents) }),
  }
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
  const { lockVersion: written = 1 } = lock as { readonly lockVersion?: unknown }
  if (written !== 1 && written !== lockVersion)
    throw new UsageError(
      `${name} has the format ${String(written)}, which a later release wrote. Update @hv/router-cli, which reads up to ${lockVersion}.`,
    )
  return lock as Lock
}

/** What a released version lost or changed. New routes, new versions and later sunsets are fine. */
export function compareLock(
  released: Lock,
  routeFile: RouteFile,
  now: number,
  documents: Documents | null = null,
): readonly Finding[] {
  const current = createLock(routeFile)
  return [
    ...(released.settings === undefined ? [oldLock] : compareSettings(released.settings, routeFile.settings)),
    ...changedRoutes(released, current, routeFile, now),
    ...changedConstraints(released, current),
    ...earlierSunsets(released, current),
    ...compareContracts(released.documents, documents),
  ]
}

const oldLock = warning(
  'old-lock',
  'the lock file of an earlier release has no settings and no constraints, so they are not compared. ' +
    'Write it again: hv-router check --update-lock',
)

function changedRoutes(released: Lock, current: Lock, routeFile: RouteFile, now: number): readonly Finding[] {
  return Object.entries(released.versions).flatMap(([version, routes]): readonly Finding[] => {
    const isDeclared = routeFile.lives.some(({ number }) => String(number) === version)
    if (!isDeclared) return [error('lost-version', `version ${version} is released, and not declared any more`)]
    const sunset = lifeOfVersion(routeFile, Number(version))?.sunset ?? Infinity
    const found = new Map(
      Object.entries(current.versions[version] ?? {}).map(([route, target]) => [shapeOf(route), target]),
    )
    return Object.entries(routes).flatMap(([route, target]): readonly Finding[] => {
      const targetNow = found.get(shapeOf(route))
      if (targetNow === target) return []
      if (targetNow === undefined)
        return sunset <= now ? [] : [error('lost-route', `version ${version} is released, and lost ${route}`)]
      const changed = `version ${version} is released, and ${route} changed from ${target} to ${targetNow}`
      return [error('changed-route', changed)]
    })
  })
}

/** A constraint that is new, or another one: a value that clients send may not match it any more. */
function changedConstraints(released: Lock, current: Lock): readonly Finding[] {
  const before = new Map(
    Object.entries(released.constraints ?? {}).map(([route, own]) => [shapeOf(route), { route, constraints: own }]),
  )
  const isReleased = new Set(
    Object.entries(released.versions).flatMap(([version, routes]) =>
      Object.keys(routes).map((route) => shapeOf(`${version} ${route}`)),
    ),
  )
  if (released.settings === undefined) return []
  return Object.entries(current.constraints ?? {}).flatMap(([route, own]): readonly Finding[] => {
    if (!isReleased.has(shapeOf(route))) return []
    const known = before.get(shapeOf(route))
    return Object.entries(own).flatMap(([param, pattern]): readonly Finding[] => {
      const was = known && releasedConstraint(known, route, param)
      if (was === pattern) return []
      const [version, ...rest] = route.split(' ')
      const text = was === undefined ? 'has' : `changed from ${was} to`
      const message = `version ${version} is released, and ${rest.join(' ')}: the constraint of ${param} ${text} ${pattern}`
      return [error('changed-constraint', message)]
    })
  })
}

/** Clients plan with the sunset that they were told. */
function earlierSunsets({ sunsets = {} }: Lock, current: Lock): readonly Finding[] {
  const found = new Map(Object.entries(current.sunsets ?? {}).map(([what, sunset]) => [shapeOf(what), sunset]))
  return Object.entries(sunsets).flatMap(([what, told]): readonly Finding[] => {
    // A route without a sunset of its own ends with its version.
    const now = found.get(shapeOf(what)) ?? found.get(what.split(' ', 1)[0]!)
    if (now === undefined || Date.parse(now) >= Date.parse(told)) return []
    return [error('earlier-sunset', `version ${what} is released with the sunset ${told}, which moved to ${now}`)]
  })
}
