import { type CompareOptions, compareDocuments } from '@hv/openapi-diff'
import { groupBy } from '../../group-by.ts'
import { type Io, showProgress } from '../../output.ts'
import type { Documents } from '../../project/documents.ts'
import { operationShape, shapeOf } from '../../route-file/list-rows.ts'
import { lifeOfVersion } from '../../route-file/lives.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { type Finding, documentFinding, error, warning } from './finding.ts'
import { type Lock, type LockedRoute, type LockedVersion, createLock, sunsetOf } from './lock.ts'
import { compareSettings } from './locked-settings.ts'

export interface CompareLockOptions extends CompareOptions {
  /** The current documents. */
  readonly documents: Documents | null
  readonly now: number
}

/**
 * Lists what a released version lost or changed. New routes, new versions and later sunsets are
 * fine, and so is whatever happens to a version or route after its sunset.
 */
export function compareLock(
  io: Io,
  released: Lock,
  routeFile: RouteFile,
  options: CompareLockOptions,
): readonly Finding[] {
  const hasEnded = createHasEnded(released, routeFile, options.now)
  const current = createLock(routeFile)
  const declared = new Set(routeFile.settings.versions.map(String))
  const findings = Object.entries(released.versions).flatMap(([version, before]) => {
    if (declared.has(version)) {
      const sunset = sunsetOf(lifeOfVersion(routeFile, Number(version)))
      const after = { routes: {}, ...current.versions[version], sunset }
      return compareVersion(version, before, after, hasEnded)
    }
    const isTombstone = Object.keys(before.routes).length === 0
    return isTombstone
      ? []
      : [error('lost-version', `released version ${version} is no longer declared`)]
  })
  return [
    ...compareSettings(released.settings, routeFile.settings, hasEnded),
    ...findings,
    ...compareLockedDocuments(io, released.documents, options, hasEnded),
  ]
}

/** Whether a version, or one of its routes, is past its sunset, so that it may be deleted. */
type HasEnded = (version: string, operation?: string) => boolean

function createHasEnded({ versions }: Lock, routeFile: RouteFile, now: number): HasEnded {
  const ended = new Set<string>()
  for (const [version, { routes }] of Object.entries(versions)) {
    const sunset = lifeOfVersion(routeFile, Number(version))?.sunset ?? Infinity
    if (sunset <= now) ended.add(version)
    for (const [route, locked] of Object.entries(routes))
      if (Date.parse(locked.sunset ?? '') <= now) ended.add(`${version} ${operationShape(route)}`)
  }
  return (version, operation = '') =>
    ended.has(version) || ended.has(`${version} ${operationShape(operation)}`)
}

function compareVersion(
  version: string,
  before: LockedVersion,
  after: LockedVersion,
  hasEnded: HasEnded,
): readonly Finding[] {
  const name = `released version ${version}`
  const findings = earlierSunset(name, before.sunset, after.sunset)
  for (const { route, locked, now } of pairRoutes(before.routes, after.routes)) {
    // A route without a sunset of its own ends with its version.
    const sunset = now?.locked.sunset ?? after.sunset
    findings.push(...earlierSunset(`${name} ${route}`, locked.sunset, sunset))
    if (now !== undefined) findings.push(...changesOf(name, { route, locked }, now))
    else if (!hasEnded(version, route))
      findings.push(error('lost-route', `${name} has lost ${route}`))
  }
  return findings
}

const earlierSunset = (what: string, told?: string, now?: string): Finding[] =>
  told === undefined || now === undefined || Date.parse(now) >= Date.parse(told)
    ? []
    : [error('earlier-sunset', `${what}: the sunset moved from ${told} to ${now}`)]

interface NamedRoute {
  /** `GET /users/:id` */
  readonly route: string
  readonly locked: LockedRoute
}

/**
 * Finds each released route among the current ones. No client sees a parameter's name, so it may
 * change. But constraints can tell routes apart that differ in their parameters' names alone, so
 * routes with the same names belong together.
 */
function pairRoutes(
  before: LockedVersion['routes'],
  after: LockedVersion['routes'],
): readonly (NamedRoute & { readonly now: NamedRoute | undefined })[] {
  const added = Object.keys(after).filter((route) => !Object.hasOwn(before, route))
  const addedByShape = new Map(
    [...groupBy(added, shapeOf)].map(([shape, routes]) => [shape, routes.values()]),
  )
  return Object.entries(before).map(([route, locked]) => {
    const name = Object.hasOwn(after, route)
      ? route
      : addedByShape.get(shapeOf(route))?.next().value
    const now = name === undefined ? undefined : { route: name, locked: after[name]! }
    return { route, locked, now }
  })
}

/** A different action, and constraints that may refuse what clients send. */
function changesOf(name: string, before: NamedRoute, after: NamedRoute): readonly Finding[] {
  const paramsOf = (route: string) => [...route.matchAll(/[:*](\w+)/g)].map(([, param]) => param!)
  const olderName = new Map(
    paramsOf(after.route).map((param, index) => [param, paramsOf(before.route)[index]]),
  )
  const olderConstraints = new Map(Object.entries(before.locked.constraints ?? {}))
  const changed = Object.entries(after.locked.constraints ?? {}).flatMap(([param, constraint]) => {
    const older = olderConstraints.get(olderName.get(param) ?? param)
    if (constraint === older) return []
    const text =
      older === undefined
        ? `${param} now has the constraint ${constraint}`
        : `the constraint of ${param} changed from ${older} to ${constraint}`
    return [error('changed-constraint', `${name}: ${after.route}: ${text}`)]
  })
  const [from, to] = [before.locked.to, after.locked.to]
  return from === to
    ? changed
    : [error('changed-route', `${name}: ${before.route} changed from ${from} to ${to}`), ...changed]
}

/** What the released versions' documents promise, and the current ones don't keep. */
function compareLockedDocuments(
  io: Io,
  released: Documents | undefined,
  { documents: current, ...options }: CompareLockOptions,
  hasEnded: HasEnded,
): readonly Finding[] {
  if (released === undefined && current === null) return []
  if (released === undefined)
    return [unknown('the lock file has none. Add them: check --update-lock --documents <module>')]
  if (current === null)
    return [unknown('only the lock file has them. Pass the current ones: --documents <module>')]
  const versions = Object.entries(released).filter(([version]) => !hasEnded(version))
  const findings = versions.flatMap(([version, document], index) => {
    const now = current[version]
    if (now === undefined) return [unknown(`the module has no document for version ${version}`)]
    const progress = `${index + 1} of ${versions.length}`
    showProgress(io, `Comparing the documents of version ${version} (${progress}) …`)
    return compareDocuments(document, now, options)
      .filter(({ code, operation }) => code !== 'lost-operation' || !hasEnded(version, operation))
      .map((difference) => documentFinding(difference, `version ${version}: `))
  })
  showProgress(io)
  return findings
}

export const notCompared = 'documents-not-compared'

const unknown = (why: string): Finding => warning(notCompared, `documents aren't compared: ${why}`)
