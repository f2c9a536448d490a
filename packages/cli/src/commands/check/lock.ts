import { existsSync } from 'node:fs'
import type { Life, Row } from '@hv/router'
import { withoutProse } from '@hv/openapi-diff'
import { type Io, UsageError, display } from '../../output.ts'
import type { Documents } from '../../project/documents.ts'
import { isByName, readJson } from '../../project/json.ts'
import { dateOf } from '../../route-file/lives.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import type { Acceptances } from './acceptances.ts'
import { type LockedSettings, lockSettings } from './locked-settings.ts'

/** A lock file: what clients of the released versions rely on. */
export interface Lock {
  readonly lockVersion: 3
  readonly settings: LockedSettings
  readonly versions: Readonly<Record<string, LockedVersion>>
  /** The paths and components of the OpenAPI documents, by version. */
  readonly documents?: Documents
  /** Findings that somebody has accepted since the release. */
  readonly accepted?: Acceptances
}

export interface LockedVersion {
  /** The announced sunset: `2027-07-01`. */
  readonly sunset?: string | undefined
  /** `{ "GET /api/users(.:format)": { "to": "users#index" } }` */
  readonly routes: Readonly<Record<string, LockedRoute>>
}

export interface LockedRoute {
  readonly to: string
  /** `{ "id": "/\\d+/" }` */
  readonly constraints?: Readonly<Record<string, string>> | undefined
  /** If it isn't the sunset of the version. */
  readonly sunset?: string | undefined
}

const lockVersion = 3

/** A preview is not released: it is not in the lock, and may change. */
export function createLock(
  { lives, rows, settings }: RouteFile,
  documents: Documents | null = null,
): Lock {
  const released = lives.filter(({ isPreview }) => !isPreview)
  const versions = released.map(({ number, life }): readonly [number, LockedVersion] => {
    const routes: Record<string, LockedRoute> = {}
    for (const row of rows)
      if (row.version === number)
        routes[`${row.method} ${row.path}`] ??= lockRoute(row, sunsetOf(life))
    return [number, { sunset: sunsetOf(life), routes }]
  })
  const locked = released.flatMap(({ number }) =>
    documents?.[number] === undefined ? [] : [[number, lockDocument(documents[number])] as const],
  )
  return {
    lockVersion,
    settings: lockSettings(settings),
    versions: Object.fromEntries(versions),
    ...(documents !== null && { documents: Object.fromEntries(locked) }),
  }
}

export const sunsetOf = (life: Life | null): string | undefined =>
  typeof life?.sunset === 'number' ? dateOf(life.sunset) : undefined

function lockRoute(
  { key, action, constraints, life }: Row,
  ofVersion: string | undefined,
): LockedRoute {
  const texts = Object.entries(constraints).map(([param, constraint]) => [
    param,
    constraintText(constraint),
  ])
  const sunset = sunsetOf(life)
  return {
    to: `${key}#${action}`,
    constraints: texts.length === 0 ? undefined : Object.fromEntries(texts),
    sunset: sunset === ofVersion ? undefined : sunset,
  }
}

/** A constraint as the route file has it: `/\\d+/`. The router wraps it, to match whole values. */
const constraintText = ({ source, flags }: RegExp): string =>
  `/${source.slice('^(?:'.length, -')$'.length)}/${flags}`

const promised = new Set(['openapi', 'security', 'paths', 'webhooks', 'components'])

/** What clients rely on: no descriptions, no examples, and no servers, which differ by environment. */
const lockDocument = (document: object): object =>
  withoutProse(Object.fromEntries(Object.entries(document).filter(([part]) => promised.has(part))))

export function readLock(io: Io, path: string): Lock {
  const update = 'npx @hv/router-cli check --update-lock'
  const name = display(io, path)
  if (!existsSync(path))
    throw new UsageError(`no such file: ${name}. Write it when you release a version: ${update}.`)
  const lock = readJson(io, path)
  if (!isLock(lock))
    throw new UsageError(
      `${name} is damaged, or from another release of @hv/router-cli, and cannot be read. ` +
        `Restore the file, or delete it and write it again: ${update}.`,
    )
  return lock
}

/** Somebody may have edited a lock file, or merged it badly. */
function isLock(value: unknown): value is Lock {
  if (!isByName(value)) return false
  const { settings, versions, documents = {}, accepted = {} } = value
  const isRoute = (route: unknown): boolean =>
    isByName(route) && isByName(route['constraints'] ?? {})
  const isAcceptance = (one: unknown): boolean => isByName(one) && Array.isArray(one['operations'])
  return (
    value['lockVersion'] === lockVersion &&
    isByName(settings) &&
    ['vendor', 'defaultVersion', 'formats', 'strict'].every((name) => name in settings) &&
    (['any', false].includes(settings['formats'] as string) ||
      Array.isArray(settings['formats'])) &&
    isByName(versions, (version) => isByName(version) && isByName(version['routes'], isRoute)) &&
    isByName(documents, (document) => isByName(document)) &&
    isByName(accepted, isAcceptance)
  )
}
