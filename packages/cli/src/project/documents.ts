import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Change } from '@hv/router'
import type { Recording } from '@hv/router/testing'
import { createJiti } from 'jiti'
import { type Io, UsageError, display } from '../output.ts'
import { isByName, isByVersion, readJson } from './json.ts'

/** OpenAPI documents by version. */
export type Documents = Readonly<Record<string, object>>

/** What a module exports about the versions of an API. */
export interface Contracts {
  readonly documents: Documents
  /** By older version: what changed in the version after it. */
  readonly changes: Readonly<Record<string, readonly Pick<Change, 'about'>[]>>
  /** Recorded responses by version. */
  readonly recordings: Readonly<Record<string, Recording>>
}

/** Loads what a module exports, or the documents that a JSON file has. */
export async function loadContracts(io: Io, named: string): Promise<Contracts> {
  const path = resolve(io.cwd, named)
  const file = display(io, path)
  if (!existsSync(path)) throw new UsageError(`${file} does not exist.`)
  const { changes = {}, recordings = {}, documents } = await load(io, path, file)
  const assertByVersion = (
    value: unknown,
    isValid: (one: unknown) => boolean,
    message: string,
  ): void => {
    if (!isByVersion(value, isValid)) throw new UsageError(`${file} does not export ${message}`)
  }
  assertByVersion(
    isByName(documents) && Object.keys(documents).length === 0 ? null : documents,
    (one) => isByName(one) && typeof one['openapi'] === 'string',
    'documents by version. Export them: export const documents = { 1: openapi(routes, controllers, { version: 1, info }) }',
  )
  assertByVersion(
    changes,
    (list) =>
      Array.isArray(list) && list.every((one) => isByName(one) && typeof one['about'] === 'string'),
    "changes by version. Export them: export const changes = { 1: [change('…', …)] }",
  )
  const isResponse = (one: unknown): boolean =>
    isByName(one) && typeof one['status'] === 'number' && isByName(one['headers'])
  assertByVersion(
    recordings,
    (one) => isByName(one) && Object.values(one).every(isResponse),
    'recordings by version. Export what record() returned: export const recordings = { 1: … }',
  )
  return { documents, changes, recordings } as Contracts
}

async function load(
  io: Io,
  path: string,
  file: string,
): Promise<Partial<Record<keyof Contracts, unknown>>> {
  if (path.endsWith('.json')) return { documents: readJson(io, path) }
  try {
    const jiti = createJiti(pathToFileURL(path).href, { tsconfigPaths: true })
    const exported =
      (await jiti.import<Partial<Record<keyof Contracts, unknown>> | null>(path)) ?? {}
    const { documents } = exported
    return {
      ...exported,
      documents: typeof documents === 'function' ? await documents() : documents,
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${file} could not be loaded: ${message.split('\n')[0]!}`)
  }
}
