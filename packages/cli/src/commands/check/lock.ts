import { existsSync } from 'node:fs'
import { withoutProse } from '@hv/router-openapi'
import { type Io, UsageError, display } from '../../output.ts'
import type { Documents } from '../../project/documents.ts'
import { isByName, readJson } from '../../project/json.ts'
import { dateOf, lifeOfVersion } from '../../route-file/lives.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import type { Acceptances } from './acceptances.ts'
import { constraintText } from './constraints.ts'
import { type LockedSettings, lockSettings } from './locked-settings.ts'

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
  const written: unknown = lock?.lockVersion
  if (written !== lockVersion)
    throw new UsageError(
      `${name} is in another format than this release of @hv/router-cli writes: lockVersion is ${String(written)}, not ${lockVersion}. ` +
        `Update the command, or write the file again: ${update}.`,
    )
  const damaged = findDamage(lock!)
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
    settings: isByName(lock.settings) && areSettings(lock.settings),
    versions: isByName(lock.versions, areTexts),
    constraints: isByName(lock.constraints ?? {}, areTexts),
    sunsets: isByName(lock.sunsets ?? {}, (date) => isText(date) && !Number.isNaN(Date.parse(date))),
    documents: isByName(lock.documents ?? {}, (document) => isByName(document)),
    accepted: isByName(lock.accepted ?? {}, (one) => isByName(one) && isAcceptance(one)),
  }
  return Object.entries(checks).find(([, isIntact]) => !isIntact)?.[0]
}

const isText = (value: unknown): value is string => typeof value === 'string'

const areSettings = ({ vendor, defaultVersion, formats, strict }: Readonly<Record<string, unknown>>): boolean =>
  isText(vendor) &&
  ['number', 'string'].includes(typeof defaultVersion) &&
  (Array.isArray(formats) || formats === 'any' || formats === false) &&
  typeof strict === 'boolean'

const isAcceptance = ({ operations, reason, date }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(operations) && isText(reason) && isText(date)

interface LockedDocument {
  readonly openapi?: string
  readonly security?: object
  readonly paths?: object
  readonly webhooks?: object
  readonly components?: object
}

/** The parts of the documents that clients rely on: no descriptions, no examples, and no servers, which differ by environment. */
const lockDocuments = (documents: Documents): Documents =>
  Object.fromEntries(
    Object.entries(documents as Readonly<Record<string, LockedDocument>>).map(
      ([version, { openapi, security = [], paths, webhooks, components }]) => [
        version,
        withoutProse({ openapi, security, paths, webhooks, components }),
      ],
    ),
  )
