import { existsSync } from 'node:fs'
import type { Life, Row } from '@hv/router'
import { withoutProse } from '@hv/openapi-diff'
import { type Io, UsageError, display } from '../../output.ts'
import type { Documents } from '../../project/documents.ts'
import { isByName, readJson } from '../../project/json.ts'
import { dateOf } from '../../route-file/lives.ts'
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
export function createLock(
  { lives, rows, settings }: RouteFile,
  documents: Documents | null = null,
): Lock {
  const released = lives.filter(({ isPreview }) => !isPreview)
  const versions = released.map(({ number, life }): [number, LockedVersion] => {
    const sunset = sunsetOf(life)
    const routes = new Map<string, LockedRoute>()
    for (const row of rows) {
      const route = `${row.method} ${row.pattern}`
      if (row.version === number && !routes.has(route)) routes.set(route, lockRoute(row, sunset))
    }
    return [number, { sunset, routes: Object.fromEntries(routes) }]
  })
  const locked = released.flatMap(({ number }) => {
    const document = documents?.[number]
    return document === undefined ? [] : [[number, lockDocument(document)]]
  })
  return {
    lockVersion,
    settings: lockSettings(settings),
    versions: Object.fromEntries(versions),
    documents: documents === null ? undefined : Object.fromEntries(locked),
  }
}

export const sunsetOf = (life: Life | null): string | undefined =>
  typeof life?.sunset === 'number' ? dateOf(life.sunset) : undefined

function lockRoute(
  { key, action, constraints, life }: Row,
  versionSunset: string | undefined,
): LockedRoute {
  const texts = Object.entries(constraints).map(([name, { source, flags }]) => [
    name,
    // As the route file has it: `/\d+/`. The router wraps it, to match whole values.
    `/${source.slice('^(?:'.length, -')$'.length)}/${flags}`,
  ])
  const sunset = sunsetOf(life)
  return {
    to: `${key}#${action}`,
    constraints: texts.length === 0 ? undefined : Object.fromEntries(texts),
    sunset: sunset === versionSunset ? undefined : sunset,
  }
}

const promised = new Set(['openapi', 'security', 'paths', 'webhooks', 'components'])

/**
 * Leaves out descriptions, examples and servers, which no client relies on, and sorts by name, so
 * that a schema that's only written in another order doesn't show up in a review.
 */
function lockDocument(document: object): unknown {
  const parts = Object.entries(document).filter(([part]) => promised.has(part))
  const text = JSON.stringify(withoutProse(Object.fromEntries(parts)))
  return JSON.parse(text, (_, value: unknown) =>
    isByName(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

/**
 * Writes a lock file for the people who review what changes in it: an object or a list that fits
 * is on one line, so that a route is.
 */
export function formatLock(lock: Lock): string {
  const flatParts = /[[{]\n[^[\]{}]*[\]}]/g
  const text = JSON.stringify(lock, null, 2).replaceAll(flatParts, (lines) => {
    const line = lines.replaceAll(/\n */g, ' ').replaceAll(/^\[ | \]$/g, (end) => end.trim())
    return line.length <= 60 ? line : lines
  })
  return `${text}\n`
}

export function readLock(io: Io, path: string): Lock {
  const update = 'npx @hv/router-cli check --update-lock'
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
  if (!isByName(value)) return false
  const { settings, versions, documents = {} } = value
  const isRoute = (route: unknown): boolean =>
    isByName(route) && isByName(route['constraints'] ?? {})
  return (
    value['lockVersion'] === lockVersion &&
    isByName(settings) &&
    ['vendor', 'defaultVersion', 'formats', 'strict'].every((name) => name in settings) &&
    (['any', false].includes(settings['formats'] as string) ||
      Array.isArray(settings['formats'])) &&
    isByName(versions, (version) => isByName(version) && isByName(version['routes'], isRoute)) &&
    isByName(documents, (document) => isByName(document))
  )
}
