import { type CompareOptions, compareDocuments } from '@hv/router-openapi'
import { type Io, showProgress } from '../../output.ts'
import type { Documents } from '../../project/documents.ts'
import { operationShape, shapeOf } from '../../route-file/list-rows.ts'
import { lifeOfVersion } from '../../route-file/lives.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { type Finding, documentFinding, error, warning } from './finding.ts'
import { type Lock, createLock } from './lock.ts'
import { compareSettings } from './locked-settings.ts'

/** Lists what a released version lost or changed. New routes, new versions and later sunsets are allowed. */
export function compareLock(
  io: Io,
  released: Lock,
  routeFile: RouteFile,
  now: number,
  documents: Documents | null,
  options: CompareOptions,
): readonly Finding[] {
  const current = createLock(routeFile)
  const pairs = pairRoutes(released, current)
  const declared = new Set(routeFile.lives.map(({ number }) => String(number)))
  const lost = Object.keys(released.versions).filter((version) => !declared.has(version))
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
    ...compareLockedDocuments(io, released.documents, documents, hasEnded, options),
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

/** What the documents of the released versions promise, and the current ones do not keep. */
function compareLockedDocuments(
  io: Io,
  released: Documents | undefined,
  current: Documents | null,
  hasEnded: HasEnded,
  options: CompareOptions,
): readonly Finding[] {
  if (released === undefined && current === null) return []
  if (released === undefined)
    return [notCompared('the lock file has none. Write them: check --update-lock --documents <module>')]
  if (current === null) return [notCompared('the lock file has them. Pass the current ones: --documents <module>')]
  const versions = Object.entries(released).filter(([version]) => !hasEnded(version))
  const findings = versions.flatMap(([version, document], index) => {
    const now = current[version]
    if (now === undefined) return [notCompared(`the module has no document of version ${version}`)]
    showProgress(io, `Comparing the documents of version ${version} (${index + 1} of ${versions.length}) …`)
    return compareDocuments(document, now, options)
      .filter(({ code, operation }) => code !== 'lost-operation' || !hasEnded(version, operation))
      .map((difference) => documentFinding(difference, `version ${version}: `))
  })
  showProgress(io)
  return findings
}

/** Whether a version, or one of its routes, is past its sunset, so that it may be deleted. */
type HasEnded = (version: string, operation?: string) => boolean

const notCompared = (why: string): Finding => warning('documents-not-compared', `documents are not compared: ${why}`)
