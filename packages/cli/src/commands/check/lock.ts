import { existsSync } from 'node:fs'
import type { Row } from '@hv/router'
import { type Io, UsageError, display } from '../../output.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { operationShape, shapeOf } from '../../route-file/list-rows.ts'
import { dateOf, lifeOfVersion } from '../../route-file/lives.ts'
import { readJson } from '../../project/files.ts'
import type { Documents } from '../../project/documents.ts'
import { type Acceptances, areAcceptances } from './acceptances.ts'
import { type Finding, error } from './finding.ts'
import { type DocumentOptions, type HasEnded, compareLockedDocuments, lockDocuments } from './locked-documents.ts'
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
  const lives = routeFile.lives.filter(({ isPreview }) => !isPreview)
  const isReleased = (version: number): boolean => lives.some(({ number }) => number === version)
  const versions: Record<string, Record<string, string>> = {}
  const constraints: Record<string, Readonly<Record<string, string>>> = {}
  const sunsets: Record<string, string> = {}
  for (const { number, life } of lives) if (typeof life?.sunset === 'number') sunsets[number] = dateOf(life.sunset)
  for (const row of routeFile.rows.filter(({ version }) => isReleased(version))) {
    const { version, method, path, key, action, life } = row
    const route = `${method} ${path}`
    const routes = (versions[version] ??= {})
    if (routes[route] !== undefined) continue
    routes[route] = `${key}#${action}`
    if (Object.keys(row.constraints).length > 0) constraints[`${version} ${route}`] = constraintsOf(row)
    const sunset = life?.sunset ?? null
    if (sunset !== null && sunset !== lifeOfVersion(routeFile, version)?.sunset)
      sunsets[`${version} ${route}`] = dateOf(sunset)
  }
  const released = Object.entries(documents ?? {}).filter(([version]) => isReleased(Number(version)))
  return {
    lockVersion,
    settings: lockSettings(routeFile.settings),
    versions,
    ...(Object.keys(constraints).length > 0 && { constraints }),
    ...(Object.keys(sunsets).length > 0 && { sunsets }),
    ...(documents !== null && { documents: lockDocuments(Object.fromEntries(released)) }),
  }
}

/** The constraints of a route as the route file has them: `{ "id": "/\\d+/" }`. The router matches whole values. */
const constraintsOf = ({ constraints }: Row): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(constraints).map(([param, { source, flags }]) => [
      param,
      `/${source.slice('^(?:'.length, -')$'.length)}/${flags}`,
    ]),
  )

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
  /** Whether a version, or one of its routes, is past its sunset, so that it may be deleted. */
  const hasEnded: HasEnded = (version, operation = '') => {
    const ofVersion = lifeOfVersion(routeFile, Number(version))?.sunset ?? Infinity
    const own = Object.entries(released.sunsets ?? {}).filter(
      ([what]) => operationShape(what) === `${version} ${operationShape(operation)}`,
    )
    return ofVersion <= now || own.some(([, date]) => Date.parse(date) <= now)
  }
  const declared = new Set(routeFile.lives.map(({ number }) => String(number)))
  const lost = Object.keys(released.versions).filter((version) => !declared.has(version))
  return [
    ...compareSettings(released.settings, routeFile.settings, hasEnded),
    ...lost.map((version) => error('lost-version', `released version ${version} is no longer declared`)),
    ...changedRoutes(released, current, pairs, (version, route) => !declared.has(version) || hasEnded(version, route)),
    ...changedConstraints(released, current, pairs),
    ...earlierSunsets(released, current, pairs),
    ...compareLockedDocuments(released.documents, documents, hasEnded, options),
  ]
}

/** The released routes by what they were called and what they are called now: `1 GET /api/users/:id(.:format)`. */
type Pairs = ReadonlyMap<string, string>

/** No client sees the name of a parameter. Constraints may choose between routes that differ in it alone. */
function pairRoutes(released: Lock, current: Lock): Pairs {
  const [before, now] = [targetsOf(released), targetsOf(current)]
  const others = new Set([...now.keys()].filter((route) => !before.has(route)))
  return new Map(
    [...before.keys()].flatMap((route) => {
      if (now.has(route)) return [[route, route]]
      const renamed = [...others].find((other) => shapeOf(other) === shapeOf(route))
      if (renamed === undefined) return []
      others.delete(renamed)
      return [[route, renamed]]
    }),
  )
}

/** What each route of each version calls. */
const targetsOf = ({ versions }: Lock): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(versions).flatMap(([version, routes]) =>
      Object.entries(routes).map(([route, target]) => [`${version} ${route}`, target] as const),
    ),
  )

const splitRoute = (versioned: string): readonly [version: string, route: string] => {
  const space = versioned.indexOf(' ')
  return [versioned.slice(0, space), versioned.slice(space + 1)]
}

function changedRoutes(released: Lock, current: Lock, pairs: Pairs, hasEnded: HasEnded): readonly Finding[] {
  const targets = targetsOf(current)
  return [...targetsOf(released)].flatMap(([versioned, target]): readonly Finding[] => {
    const [version, route] = splitRoute(versioned)
    const paired = pairs.get(versioned)
    if (paired === undefined)
      return hasEnded(version, route) ? [] : [error('lost-route', `released version ${version} has lost ${route}`)]
    const targetNow = targets.get(paired)!
    if (targetNow === target) return []
    return [error('changed-route', `released version ${version}: ${route} changed from ${target} to ${targetNow}`)]
  })
}

/** A constraint that is new or different: values that clients send may no longer match. */
function changedConstraints(released: Lock, current: Lock, pairs: Pairs): readonly Finding[] {
  const paramsOf = (route: string): readonly string[] => [...route.matchAll(/[:*](\w+)/g)].map(([, name]) => name!)
  return [...pairs].flatMap(([before, now]): readonly Finding[] => {
    const [version, route] = splitRoute(now)
    const patterns = new Map(Object.entries(released.constraints?.[before] ?? {}))
    return Object.entries(current.constraints?.[now] ?? {}).flatMap(([param, pattern]) => {
      const was = patterns.get(paramsOf(before)[paramsOf(now).indexOf(param)]!)
      if (was === pattern) return []
      const text =
        was === undefined
          ? `${param} now has the constraint ${pattern}`
          : `the constraint of ${param} changed from ${was} to ${pattern}`
      return [error('changed-constraint', `released version ${version}: ${route}: ${text}`)]
    })
  })
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
