import { existsSync } from 'node:fs'
import { type Io, UsageError, display } from '../../output.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { operationShape, shapeOf } from '../../route-file/list-rows.ts'
import { dateOf, lifeOfVersion } from '../../route-file/lives.ts'
import { isByName, readJson } from '../../project/files.ts'
import type { Documents } from '../../project/documents.ts'
import { type Acceptances, areAcceptances } from './acceptances.ts'
import { constraintText } from './constraints.ts'
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
    const texts = Object.entries(row.constraints).map(([param, constraint]) => [param, constraintText(constraint)])
    const route = `${method} ${path}`
    const routes = (versions[version] ??= {})
    if (routes[route] !== undefined) continue
    routes[route] = `${key}#${action}`
    if (texts.length > 0) constraints[`${version} ${route}`] = Object.fromEntries(texts)
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

export function readLock(io: Io, path: string): Lock {
  const name = display(io, path)
  if (!existsSync(path)) throw new UsageError(`no such file: ${name}. Write it when you release a version: ${update}.`)
  const lock = readJson(io, path) as Partial<Lock> | null
  if (!isByName(lock?.versions))
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
  const checks: Readonly<Record<Exclude<keyof Lock, 'lockVersion'>, boolean>> = {
    settings: areSettings(lock.settings),
    versions: isByName(lock.versions, areTexts),
    constraints: isByName(lock.constraints ?? {}, areTexts),
    sunsets: isByName(lock.sunsets ?? {}, (date) => isText(date) && !Number.isNaN(Date.parse(date))),
    documents: isByName(lock.documents ?? {}, (document) => isByName(document)),
    accepted: areAcceptances(lock.accepted),
  }
  return Object.entries(checks).find(([, isIntact]) => !isIntact)?.[0]
}

const isText = (value: unknown): value is string => typeof value === 'string'

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
  const declared = new Set(routeFile.lives.map(({ number }) => String(number)))
  const lost = Object.keys(released.versions).filter((version) => !declared.has(version))
  /** Whether a version, or one of its routes, is past its sunset, so that it may be deleted. */
  const hasEnded: HasEnded = (version, operation = '') => {
    const ofVersion = lifeOfVersion(routeFile, Number(version))?.sunset ?? Infinity
    const own = Object.entries(released.sunsets ?? {}).filter(
      ([what]) => operationShape(what) === `${version} ${operationShape(operation)}`,
    )
    return ofVersion <= now || own.some(([, date]) => Date.parse(date) <= now)
  }
  return [
    ...compareSettings(released.settings, routeFile.settings, hasEnded),
    ...lost.map((version) => error('lost-version', `released version ${version} is no longer declared`)),
    ...[...pairs.values()].flatMap(([before, after]) => {
      const { version, route } = before
      if (after !== undefined) return changesOf(before, after)
      const mayBeGone = !declared.has(version) || hasEnded(version, route)
      return mayBeGone ? [] : [error('lost-route', `released version ${version} has lost ${route}`)]
    }),
    ...earlierSunsets(released, current, pairs),
    ...compareLockedDocuments(released.documents, documents, hasEnded, options),
  ]
}

/** A route of a lock file. */
interface LockedRoute {
  /** `1 GET /api/users/:id(.:format)` */
  readonly id: string
  readonly version: string
  readonly route: string
  readonly target: string
  readonly constraints: Readonly<Record<string, string>>
}

const routesOf = ({ versions, constraints = {} }: Lock): readonly LockedRoute[] =>
  Object.entries(versions).flatMap(([version, routes]) =>
    Object.entries(routes).map(([route, target]) => {
      const id = `${version} ${route}`
      return { id, version, route, target, constraints: constraints[id] ?? {} }
    }),
  )

/** Each released route and what it is now, by its id. */
type Pairs = ReadonlyMap<string, readonly [before: LockedRoute, after: LockedRoute | undefined]>

/** No client sees the name of a parameter. Constraints may choose between routes that differ in it alone. */
function pairRoutes(released: Lock, current: Lock): Pairs {
  const before = routesOf(released)
  const after = new Map(routesOf(current).map((route) => [route.id, route]))
  const kept = new Set(before.map(({ id }) => id))
  const others = new Set([...after.values()].filter(({ id }) => !kept.has(id)))
  return new Map(
    before.map((route) => {
      const pair = after.get(route.id) ?? [...others].find(({ id }) => shapeOf(id) === shapeOf(route.id))
      if (pair !== undefined) others.delete(pair)
      return [route.id, [route, pair]]
    }),
  )
}

/** A different action, and constraints that are new or different: values that clients send may no longer match. */
function changesOf(before: LockedRoute, after: LockedRoute): readonly Finding[] {
  const changes = (code: string, text: string) => error(code, `released version ${before.version}: ${text}`)
  const paramsOf = ({ route }: LockedRoute) => [...route.matchAll(/[:*](\w+)/g)].map(([, name]) => name!)
  const constraints = Object.entries(after.constraints).flatMap(([param, pattern]) => {
    const was = new Map(Object.entries(before.constraints)).get(paramsOf(before)[paramsOf(after).indexOf(param)]!)
    if (was === pattern) return []
    const text =
      was === undefined
        ? `${param} now has the constraint ${pattern}`
        : `the constraint of ${param} changed from ${was} to ${pattern}`
    return [changes('changed-constraint', `${after.route}: ${text}`)]
  })
  if (before.target === after.target) return constraints
  return [changes('changed-route', `${before.route} changed from ${before.target} to ${after.target}`), ...constraints]
}

/** Clients plan for the sunset that was announced. */
function earlierSunsets({ sunsets = {} }: Lock, current: Lock, pairs: Pairs): readonly Finding[] {
  return Object.entries(sunsets).flatMap(([what, told]): readonly Finding[] => {
    // A route without a sunset of its own ends with its version.
    const now = current.sunsets?.[pairs.get(what)?.[1]?.id ?? what] ?? current.sunsets?.[what.split(' ', 1)[0]!]
    if (now === undefined || Date.parse(now) >= Date.parse(told)) return []
    return [error('earlier-sunset', `released version ${what}: the sunset moved from ${told} to ${now}`)]
  })
}
