import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Change } from '@hv/router'
import type { Recording } from '@hv/router/testing'
import { createJiti } from 'jiti'
import { type Io, UsageError, display } from '../output.ts'
import { readJson } from './read-json.ts'

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

/**
 * Loads what a module exports as `documents`, or what a JSON file has; and `changes` and `recordings` if there are some.
 *
 * @throws UsageError
 */
export async function loadContracts(io: Io, path: string): Promise<Contracts> {
  const file = display(io, path)
  if (!existsSync(path)) throw new UsageError(`${file} does not exist.`)
  const { changes = {}, recordings = {}, documents } = await load(io, path, file)
  const assert = (what: string, value: unknown, isValid: (one: unknown) => boolean, example: string): void => {
    if (!isObject(value) || !Object.values(value).every(isValid))
      throw new UsageError(`${file} does not export ${what} by version. Export ${example}.`)
  }
  const isByNumber =
    isObject(documents) &&
    Object.keys(documents)
      .join()
      .search(/^(?:[1-9]\d*,?)+$/) === 0
  const openapi = 'them: export const documents = { 1: openapi(routes, controllers, { version: 1, info }) }'
  assert(
    'documents',
    isByNumber ? documents : null,
    (one) => isObject(one) && typeof one['openapi'] === 'string',
    openapi,
  )
  const isChange = (one: unknown): boolean => isObject(one) && typeof one['about'] === 'string'
  const areChanges = (one: unknown): boolean => Array.isArray(one) && one.every(isChange)
  assert('changes', changes, areChanges, "them: export const changes = { 1: [change('…', …)] }")
  const isResponse = (one: unknown): boolean =>
    isObject(one) && typeof one['status'] === 'number' && isObject(one['headers'])
  const isRecording = (one: unknown): boolean => isObject(one) && Object.values(one).every(isResponse)
  assert('recordings', recordings, isRecording, 'what record() returned: export const recordings = { 1: … }')
  return { documents, changes, recordings } as Contracts
}

async function load(io: Io, path: string, file: string): Promise<Partial<Record<keyof Contracts, unknown>>> {
  if (path.endsWith('.json')) return { documents: readJson(io, path) }
  try {
    const jiti = createJiti(pathToFileURL(path).href, { tsconfigPaths: true })
    const exported = (await jiti.import<Partial<Record<keyof Contracts, unknown>> | null>(path)) ?? {}
    const { documents } = exported
    return { ...exported, documents: typeof documents === 'function' ? await documents() : documents }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${file} could not be loaded: ${message.split('\n')[0]!}`)
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
