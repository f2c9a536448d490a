import { existsSync } from 'node:fs'
import { type Io, UsageError, display } from '../../output.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { dateOf, lifeOfVersion } from '../../route-file/lives.ts'
import { readJson } from '../../project/read-json.ts'
import type { Documents } from '../../project/documents.ts'
import { type Acceptances, areAcceptances } from './acceptances.ts'
import { type Finding, error } from './finding.ts'
import { type DocumentOptions, compareLockedDocuments, lockDocuments } from './locked-documents.ts'
import { constraintsOf, operationOf, releasedConstraint, shapeOf } from './locked-routes.ts'
import { type LockedSettings, areSettings, compareSettings, lockSettings } from './locked-settings.ts'

/** A lock file: what clients of the released versions rely on. */
export interface Lock {
  readonly lockVersion: 2
  readonly settings: LockedSettings
  /** `{ "1": { "GET /api/users(.:format)": "users#index" } }` */
  readonly versions: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** By version and route: `{ "1 GET /api/users/:id(.:format)": { "id": "/\\d+/" } }`. */
  readonly constraints?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The paths and components of the OpenAPI documents, by version. */
  readonly documents?: Documents
  /** The announced sunsets, by version, or by version and route: `{ "1": "2027-07-01" }`. */
  readonly sunsets?: Readonly<Record<string, string>>
  /** Findings that somebody has accepted since the release. */
  readonly accepted?: Acceptances
}

const lockVersion = 2
const update = 'npx @hv/router-cli check --update-lock'

/** A preview is not released: it is not in the lock, and may change. */
export function createLock(routeFile: RouteFile, documents: Documents | null = null): Lock {
  const previews = new Set(routeFile.lives.flatMap(({ number, isPreview }) => (isPreview ? [number] : [])))
  const lives = routeFile.lives.filter(({ isPreview }) => !isPreview)
  const rows = routeFile.rows.filter(({ version }) => !previews.has(version))
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
    ...(documents !== null && { documents: lockDocuments(withoutPreviews(documents, previews)) }),
  }
}

const withoutPreviews = (documents: Documents, previews: ReadonlySet<number>): Documents =>
  Object.fromEntries(Object.entries(documents).filter(([version]) => !previews.has(Number(version))))

/**
 * Reads a lock file.
 *
 * @throws UsageError when it does not exist or is not a lock file
 */
export function readLock(io: Io, path: string): Lock {
  const name = display(io, path)
  if (!existsSync(path)) throw new UsageError(`no such file: ${name}. Write it when you release a version: ${update}.`)
  const lock = readJson(io, path) as Partial<Lock> | null
  if (!isByName(lock?.versions, () => true))
    throw new UsageError(`${name} is not a lock file: it has no versions. Write it: ${update}.`)
  const { lockVersion: written } = lock as { readonly lockVersion?: unknown }
  if (written !== lockVersion)
    throw new UsageError(
      `${name} is in another format than this release of @hv/router-cli writes: lockVersion is ${String(written)}, not ${lockVersion}. ` +
        `Update the command, or write the file again: ${update}.`,
    )
  const damaged = findDamage(lock as Partial<Lock>)
  if (damaged !== undefined)
    throw new UsageError(
      `${name} is damaged: ${damaged} cannot be read. Restore the file, or write it again: ${update}.`,
    )
  return lock as Lock
}

/** The part of a lock file that somebody has edited, or merged badly. */
function findDamage(lock: Partial<Lock>): string | undefined {
  const areTexts = (value: unknown): boolean => isByName(value, isText)
  const isObject = (value: unknown): boolean => isByName(value, () => true)
  const checks: Readonly<Record<Exclude<keyof Lock, 'lockVersion'>, boolean>> = {
    settings: areSettings(lock.settings),
    versions: isByName(lock.versions, areTexts),
    constraints: isByName(lock.constraints ?? {}, areTexts),
    sunsets: isByName(lock.sunsets ?? {}, (date) => isText(date) && !Number.isNaN(Date.parse(date))),
    documents: isByName(lock.documents ?? {}, isObject),
    accepted: areAcceptances(lock.accepted),
  }
  return Object.entries(checks).find(([, isIntact]) => !isIntact)?.[0]
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isByName = (value: unknown, isValid: (one: unknown) => boolean): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isValid)

/** Lists what a released version lost or changed. New routes, new versions and later sunsets are allowed. */
export function compareLock(
  released: Lock,
  routeFile: RouteFile,
  now: number,
  documents: Documents | null,
  options: DocumentOptions,
): readonly Finding[] {
  const current = createLock(routeFile)
  const pairs = pairRoutes(released, current)
  return [
    ...compareSettings(released.settings, routeFile.settings, (version) => hasEnded(routeFile, `${version}`, now)),
    ...changedRoutes(released, current, pairs, routeFile, now),
    ...changedConstraints(released, current, pairs),
    ...earlierSunsets(released, current, pairs),
    ...compareLockedDocuments(released.documents, documents, isOver, options),
  ]
  function isOver(version: string, operation: string): boolean {
    const ends = Object.entries(released.sunsets ?? {}).filter(
      ([what]) => operationOf(what) === `${version} ${operationOf(operation)}`,
    )
    return hasEnded(routeFile, version, now) || ends.some(([, date]) => Date.parse(date) <= now)
  }
}

/** Whether a version is past its sunset, so that its routes may be deleted. */
const hasEnded = (routeFile: RouteFile, version: string, now: number): boolean =>
  (lifeOfVersion(routeFile, Number(version))?.sunset ?? Infinity) <= now

/** The released routes and what they are called now, each as `1 GET /api/users/:id(.:format)`. */
type Pairs = ReadonlyMap<string, string>

/** No client sees the name of a parameter. Constraints may choose between routes that differ in it alone. */
function pairRoutes(released: Lock, current: Lock): Pairs {
  const pairs = new Map<string, string>()
  for (const [version, routes] of Object.entries(released.versions)) {
    const now = Object.keys(current.versions[version] ?? {})
    const others = now.filter((route) => !Object.hasOwn(routes, route))
    for (const route of Object.keys(routes)) {
      const renamed = others.findIndex((other) => shapeOf(other) === shapeOf(route))
      const found = now.includes(route) ? route : others.splice(renamed, renamed < 0 ? 0 : 1)[0]
      if (found !== undefined) pairs.set(`${version} ${route}`, `${version} ${found}`)
    }
  }
  return pairs
}

function changedRoutes(
  released: Lock,
  current: Lock,
  pairs: Pairs,
  routeFile: RouteFile,
  now: number,
): readonly Finding[] {
  return Object.entries(released.versions).flatMap(([version, routes]): readonly Finding[] => {
    const isDeclared = routeFile.lives.some(({ number }) => String(number) === version)
    if (!isDeclared) return [error('lost-version', `released version ${version} is no longer declared`)]
    return Object.entries(routes).flatMap(([route, target]): readonly Finding[] => {
      const found = pairs.get(`${version} ${route}`)
      if (found === undefined) {
        const own = Date.parse(released.sunsets?.[`${version} ${route}`] ?? '') // NaN without one
        const isRetired = hasEnded(routeFile, version, now) || own <= now
        return isRetired ? [] : [error('lost-route', `released version ${version} has lost ${route}`)]
      }
      const targetNow = current.versions[version]![found.slice(version.length + 1)]!
      if (targetNow === target) return []
      const changed = `released version ${version}: ${route} changed from ${target} to ${targetNow}`
      return [error('changed-route', changed)]
    })
  })
}

/** A constraint that is new or different: values that clients send may no longer match. */
function changedConstraints(released: Lock, current: Lock, pairs: Pairs): readonly Finding[] {
  return [...pairs].flatMap(([before, now]): readonly Finding[] =>
    Object.entries(current.constraints?.[now] ?? {}).flatMap(([param, pattern]): readonly Finding[] => {
      const was = releasedConstraint({ route: before, constraints: released.constraints?.[before] ?? {} }, now, param)
      if (was === pattern) return []
      const [version, ...route] = now.split(' ')
      const text =
        was === undefined
          ? `${param} now has the constraint ${pattern}`
          : `the constraint of ${param} changed from ${was} to ${pattern}`
      return [error('changed-constraint', `released version ${version}: ${route.join(' ')}: ${text}`)]
    }),
  )
}

/** Clients plan for the sunset that was announced. */
function earlierSunsets({ sunsets = {} }: Lock, current: Lock, pairs: Pairs): readonly Finding[] {
  return Object.entries(sunsets).flatMap(([what, told]): readonly Finding[] => {
    // A route without a sunset of its own ends with its version.
    const now = current.sunsets?.[pairs.get(what) ?? what] ?? current.sunsets?.[what.split(' ', 1)[0]!]
    if (now === undefined || Date.parse(now) >= Date.parse(told)) return []
    return [error('earlier-sunset', `released version ${what}: the sunset moved from ${told} to ${now}`)]
  })
}
