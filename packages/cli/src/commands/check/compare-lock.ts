import { type CompareOptions, compareDocuments } from '@hv/openapi-diff'
import { type Io, showProgress } from '../../output.ts'
import type { Documents } from '../../project/documents.ts'
import { operationShape, shapeOf } from '../../route-file/list-rows.ts'
import { lifeOfVersion } from '../../route-file/lives.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { type Finding, documentFinding, error, warning } from './finding.ts'
import { type Lock, type LockedRoute, type LockedVersion, createLock, sunsetOf } from './lock.ts'
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
  const declared = new Set(routeFile.lives.map(({ number }) => String(number)))
  const hasEnded: HasEnded = (version, operation = '') => {
    const ofVersion = lifeOfVersion(routeFile, Number(version))?.sunset ?? Infinity
    const routes = Object.entries(released.versions[version]?.routes ?? {})
    const own = routes.filter(([route]) => operationShape(route) === operationShape(operation))
    return ofVersion <= now || own.some(([, { sunset = '' }]) => Date.parse(sunset) <= now)
  }
  return [
    ...compareSettings(released.settings, routeFile.settings, hasEnded),
    ...Object.entries(released.versions).flatMap(([version, before]) => {
      const sunset = sunsetOf(lifeOfVersion(routeFile, Number(version)))
      if (declared.has(version))
        return compareVersion(
          version,
          before,
          { routes: {}, ...current.versions[version], sunset },
          hasEnded,
        )
      const isServed = Object.keys(before.routes).length > 0
      return isServed
        ? [error('lost-version', `released version ${version} is no longer declared`)]
        : []
    }),
    ...compareLockedDocuments(io, released.documents, documents, hasEnded, options),
  ]
}

function compareVersion(
  version: string,
  before: LockedVersion,
  after: LockedVersion,
  hasEnded: HasEnded,
): readonly Finding[] {
  const name = `released version ${version}`
  const earlier = (
    what: string,
    told: string | undefined,
    now: string | undefined,
  ): readonly Finding[] =>
    told === undefined || now === undefined || Date.parse(now) >= Date.parse(told)
      ? []
      : [error('earlier-sunset', `${what}: the sunset moved from ${told} to ${now}`)]
  return [
    ...earlier(name, before.sunset, after.sunset),
    ...pairRoutes(before.routes, after.routes).flatMap(([[route, was], pair]) => [
      // A route without a sunset of its own ends with its version.
      ...earlier(`${name} ${route}`, was.sunset, pair?.[1].sunset ?? after.sunset),
      ...(pair === undefined ? [] : changesOf(name, [route, was], pair)),
      ...(pair === undefined && !hasEnded(version, route)
        ? [error('lost-route', `${name} has lost ${route}`)]
        : []),
    ]),
  ]
}

type Route = readonly [route: string, locked: LockedRoute]

/** No client sees the name of a parameter. Constraints may choose between routes that differ in it alone. */
function pairRoutes(
  before: LockedVersion['routes'],
  after: LockedVersion['routes'],
): readonly (readonly [Route, Route | undefined])[] {
  const others = new Map(Object.entries(after).filter(([route]) => !Object.hasOwn(before, route)))
  return Object.entries(before).map((released) => {
    const [route] = released
    const renamed = [...others].find(([other]) => shapeOf(other) === shapeOf(route))
    const pair: Route | undefined = Object.hasOwn(after, route) ? [route, after[route]!] : renamed
    if (pair !== undefined) others.delete(pair[0])
    return [released, pair]
  })
}

/** A different action, and constraints that are new or different: values that clients send may no longer match. */
function changesOf(
  name: string,
  [route, before]: Route,
  [renamed, after]: Route,
): readonly Finding[] {
  const paramsOf = (path: string) => [...path.matchAll(/[:*](\w+)/g)].map(([, param]) => param!)
  const findings = Object.entries(after.constraints ?? {}).flatMap(([param, pattern]) => {
    const old = paramsOf(route)[paramsOf(renamed).indexOf(param)]!
    const was = new Map(Object.entries(before.constraints ?? {})).get(old)
    if (was === pattern) return []
    const text =
      was === undefined
        ? `${param} now has the constraint ${pattern}`
        : `the constraint of ${param} changed from ${was} to ${pattern}`
    return [error('changed-constraint', `${name}: ${renamed}: ${text}`)]
  })
  if (before.to === after.to) return findings
  return [
    error('changed-route', `${name}: ${route} changed from ${before.to} to ${after.to}`),
    ...findings,
  ]
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
    return [
      notCompared('the lock file has none. Write them: check --update-lock --documents <module>'),
    ]
  if (current === null)
    return [notCompared('the lock file has them. Pass the current ones: --documents <module>')]
  const versions = Object.entries(released).filter(([version]) => !hasEnded(version))
  const findings = versions.flatMap(([version, document], index) => {
    const now = current[version]
    if (now === undefined) return [notCompared(`the module has no document of version ${version}`)]
    showProgress(
      io,
      `Comparing the documents of version ${version} (${index + 1} of ${versions.length}) …`,
    )
    return compareDocuments(document, now, options)
      .filter(({ code, operation }) => code !== 'lost-operation' || !hasEnded(version, operation))
      .map((difference) => documentFinding(difference, `version ${version}: `))
  })
  showProgress(io)
  return findings
}

/** Whether a version, or one of its routes, is past its sunset, so that it may be deleted. */
type HasEnded = (version: string, operation?: string) => boolean

const notCompared = (why: string): Finding =>
  warning('documents-not-compared', `documents are not compared: ${why}`)
