import { existsSync } from 'node:fs'
import { withoutProse } from '@hv/openapi-diff'
import { groupBy } from '../../group-by.ts'
import { type Io, UsageError, display, npx } from '../../output.ts'
import type { Documents } from '../../project/documents.ts'
import { isByName, readJson } from '../../project/json.ts'
import { sunsetOf } from '../../route-file/lives.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { type LockedSettings, lockSettings } from './locked-settings.ts'

/** A lock file: what clients of the released versions rely on. */
export interface Lock {
  readonly lockVersion: typeof lockVersion
  readonly settings: LockedSettings
  readonly versions: Readonly<Record<string, LockedVersion>>
  /** The paths and components of the OpenAPI documents, by version. */
  readonly documents?: Documents | undefined
}

export interface LockedVersion {
  /** The announced sunset: `2027-07-01`. */
  readonly sunset?: string | undefined
  /** `{ "GET /api/users": { "to": "users#index" } }` */
  readonly routes: Readonly<Record<string, LockedRoute>>
}

export interface LockedRoute {
  readonly to: string
  /** `{ "id": "/\\d+/" }` */
  readonly constraints?: Readonly<Record<string, string>> | undefined
  /** Only if it differs from the version's sunset. */
  readonly sunset?: string | undefined
}

const lockVersion = 1

/** Locks what's released. A preview isn't, so it may change. */
export function createLock(routeFile: RouteFile, documents: Documents | null = null): Lock {
  const served = routeFile.rows.filter(({ shadowed }) => !shadowed)
  const rows = groupBy(served, ({ version }) => version)
  const versions: Record<string, LockedVersion> = {}
  const locked: Record<string, object> = {}
  for (const { number, life, isPreview } of routeFile.lives) {
    if (isPreview) continue
    const versionSunset = sunsetOf(life)
    const routes: Record<string, LockedRoute> = {}
    for (const { method, pattern, target, constraints, sunset } of rows.get(number) ?? []) {
      const texts = Object.entries(constraints).map(([name, { source, flags }]) => [
        name,
        // The constraint as it's written in the route file, `/\d+/`, without what the router wraps
        // around it to match whole values.
        `/${source.slice('^(?:'.length, -')$'.length)}/${flags}`,
      ])
      routes[`${method} ${pattern}`] ??= {
        to: target,
        constraints: texts.length === 0 ? undefined : Object.fromEntries(texts),
        sunset: sunset === versionSunset ? undefined : sunset,
      }
    }
    versions[number] = { sunset: versionSunset, routes }
    const document = documents?.[number]
    if (document !== undefined) locked[number] = lockDocument(document)
  }
  const settings = lockSettings(routeFile)
  return { lockVersion, settings, versions, documents: documents === null ? undefined : locked }
}

const promised = new Set(['openapi', 'security', 'paths', 'webhooks', 'components'])

/**
 * Leaves out descriptions, examples and servers, which no client relies on, and sorts by name, so
 * that a review doesn't show schemas whose keys are only in a different order.
 */
function lockDocument(document: object): object {
  const parts = Object.entries(document).filter(([part]) => promised.has(part))
  const text = JSON.stringify(withoutProse(Object.fromEntries(parts)))
  return JSON.parse(text, (_, value: unknown) =>
    isByName(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  ) as object
}

/**
 * Writes a lock file so that its diff is easy to review: an object or a list that fits on one line,
 * as a route does, is on one line.
 */
export function formatLock(lock: Lock): string {
  const flatParts = /[[{]\n[^[\]{}]*[\]}]/g
  const text = JSON.stringify(lock, null, 2).replaceAll(flatParts, (lines) => {
    const line = lines.replaceAll(/\n */g, ' ').replaceAll(/^\[ | \]$/g, (end) => end.trim())
    return line.length <= 60 ? line : lines
  })
  return `${text}\n`
}

/** Reads a lock file. Null if there's none, and none is required. */
export function readLock(io: Io, path: string, isRequired: boolean): Lock | null {
  if (!isRequired && !existsSync(path)) return null
  const update = `${npx} check --update-lock`
  const name = display(io, path)
  if (!existsSync(path))
    throw new UsageError(`no such file: ${name}. Write it when you release a version: ${update}.`)
  const lock = readJson(io, path)
  if (!isLock(lock))
    throw new UsageError(
      `${name} is damaged, or from another release of @hv/router-cli. ` +
        `Restore the file, or delete it and write it again: ${update}.`,
    )
  return lock
}

/** Somebody may have edited a lock file, or merged it badly. */
function isLock(value: unknown): value is Lock {
  if (!isByName(value) || value['lockVersion'] !== lockVersion) return false
  const { settings, versions, documents = {} } = value
  if (!isByName(settings)) return false
  const { vendor, defaultVersion, formats, strict } = settings
  const hasSettings = [vendor, defaultVersion, strict].every((setting) => setting !== undefined)
  const hasFormats = formats === 'any' || formats === false || Array.isArray(formats)
  const isRoute = (route: unknown) => isByName(route) && isByName(route['constraints'] ?? {})
  const isVersion = (version: unknown) => isByName(version) && isByName(version['routes'], isRoute)
  return hasSettings && hasFormats && isByName(versions, isVersion) && isByName(documents, isByName)
}
