import { type CompareOptions, compareDocuments } from '@hv/openapi-diff'
import { paramsOf, shapeOf } from '@hv/router/internal'
import { groupBy } from '../../group-by.ts'
import type { Documents } from '../../project/documents.ts'
import { operationShape } from '../../route-file/list-rows.ts'
import { sunsetOf } from '../../route-file/lives.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { type Finding, documentFinding, error, warning } from './finding.ts'
import { type Lock, type LockedRoute, type LockedVersion, createLock } from './lock.ts'
import { compareSettings } from './locked-settings.ts'

interface CompareLockOptions extends CompareOptions {
  /** The current documents. */
  readonly documents: Documents | null
}

/**
 * Lists what a released version lost or changed. New routes, new versions and later sunsets are
 * fine, and so is whatever happens to a version or route after its sunset.
 */
export function compareLock(
  released: Lock,
  routeFile: RouteFile,
  options: CompareLockOptions,
): readonly Finding[] {
  const current = createLock(routeFile)
  const lives = new Map(routeFile.lives.map(({ number, life }) => [`${number}`, life]))
  /** `1` for a version that has ended, and `1 GET /users/:` for a route. */
  const ended = new Set<string>()
  for (const [version, { routes }] of Object.entries(released.versions)) {
    if ((lives.get(version)?.sunset ?? Infinity) <= routeFile.now) ended.add(version)
    for (const [route, { sunset = '' }] of Object.entries(routes))
      if (Date.parse(sunset) <= routeFile.now) ended.add(`${version} ${operationShape(route)}`)
  }
  const hasEnded: HasEnded = (version, operation = '') =>
    ended.has(version) || ended.has(`${version} ${operationShape(operation)}`)

  const findings = compareSettings(released.settings, current.settings, hasEnded)
  for (const [version, before] of Object.entries(released.versions)) {
    const life = lives.get(version)
    if (life !== undefined) {
      const after = { routes: {}, ...current.versions[version], sunset: sunsetOf(life) }
      findings.push(...compareVersion(version, before, after, hasEnded))
    } else if (Object.keys(before.routes).length > 0)
      findings.push(error('lost-version', `released version ${version} isn't declared any more`))
  }
  return [...findings, ...compareLockedDocuments(released.documents, options, hasEnded)]
}

/** Whether a version, or one of its routes, is past its sunset, so that it may be deleted. */
type HasEnded = (version: string, operation?: string) => boolean

/**
 * Compares each released route with the current one. No client sees a parameter's name, so it may
 * change. But two routes may only differ in their parameters' names and constraints, so a route is
 * first compared with the one that has the same names.
 */
function compareVersion(
  version: string,
  before: LockedVersion,
  after: LockedVersion,
  hasEnded: HasEnded,
): readonly Finding[] {
  const name = `released version ${version}`
  const added = Object.keys(after.routes).filter((route) => !Object.hasOwn(before.routes, route))
  const addedByShape = groupBy(added, shapeOf)
  const findings = earlierSunset(name, before.sunset, after.sunset)
  for (const [route, older] of Object.entries(before.routes)) {
    const newName = Object.hasOwn(after.routes, route)
      ? route
      : (addedByShape.get(shapeOf(route))?.shift() ?? '')
    const newer = after.routes[newName]
    // A route that has no sunset itself ends with its version.
    const sunset = newer?.sunset ?? after.sunset
    findings.push(...earlierSunset(`${name} ${route}`, older.sunset, sunset))
    if (newer === undefined) {
      if (!hasEnded(version, route)) findings.push(error('lost-route', `${name} has lost ${route}`))
      continue
    }
    if (older.to !== newer.to)
      findings.push(
        error('changed-route', `${name}: ${route} changed from ${older.to} to ${newer.to}`),
      )
    for (const change of constraintChanges(route, older, newName, newer))
      findings.push(error('changed-constraint', `${name}: ${newName}: ${change}`))
  }
  return findings
}

const earlierSunset = (what: string, before?: string, after?: string): Finding[] =>
  before === undefined || after === undefined || Date.parse(after) >= Date.parse(before)
    ? []
    : [error('earlier-sunset', `${what}: the sunset moved from ${before} to ${after}`)]

/**
 * Lists new and changed constraints, because they may reject what clients send. The parameters'
 * names may differ.
 */
function constraintChanges(
  olderRoute: string,
  older: LockedRoute,
  newerRoute: string,
  newer: LockedRoute,
): readonly string[] {
  const olderParams = paramsOf(olderRoute)
  const newerParams = paramsOf(newerRoute)
  const released = new Map(Object.entries(older.constraints ?? {}))
  const changes: string[] = []
  for (const [param, constraint] of Object.entries(newer.constraints ?? {})) {
    const before = released.get(olderParams[newerParams.indexOf(param)] ?? param)
    if (before === undefined) changes.push(`${param} now has the constraint ${constraint}`)
    else if (before !== constraint)
      changes.push(`the constraint of ${param} changed from ${before} to ${constraint}`)
  }
  return changes
}

export const notCompared = 'documents-not-compared'

/** Reports what the released versions' documents promised, and the current ones don't keep. */
function compareLockedDocuments(
  released: Documents | undefined,
  { documents: current, ...options }: CompareLockOptions,
  hasEnded: HasEnded,
): readonly Finding[] {
  const skipped = (why: string) => warning(notCompared, `documents aren't compared: ${why}`)
  if (released === undefined)
    return current === null
      ? []
      : [skipped('the lock file has none. Add them: check --update-lock --documents <module>')]
  if (current === null)
    return [skipped('only the lock file has them. Pass the current ones: --documents <module>')]

  const findings: Finding[] = []
  for (const [version, document] of Object.entries(released)) {
    if (hasEnded(version)) continue
    const now = current[version]
    if (now === undefined) {
      findings.push(skipped(`the module has no document for version ${version}`))
      continue
    }
    for (const difference of compareDocuments(document, now, options))
      if (difference.code !== 'lost-operation' || !hasEnded(version, difference.operation))
        findings.push(documentFinding(difference, `version ${version}: `))
  }
  return findings
}
