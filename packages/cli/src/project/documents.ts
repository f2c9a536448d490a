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
 * Loads the documents that a module exports as `documents`, or that a JSON file has, by version.
 *
 * @throws UsageError
 */
export const loadDocuments = async (io: Io, path: string): Promise<Documents> =>
  (await loadContracts(io, path)).documents

/**
 * Loads what a module exports: `documents`, and `changes` and `recordings` if it has them.
 *
 * @throws UsageError
 */
export async function loadContracts(io: Io, path: string): Promise<Contracts> {
  const file = display(io, path)
  if (!existsSync(path)) throw new UsageError(`${file} does not exist.`)
  let exported: { readonly documents?: unknown; readonly changes?: unknown; readonly recordings?: unknown }
  let documents: unknown
  try {
    exported = path.endsWith('.json')
      ? { documents: readJson(io, path) }
      : ((await createJiti(pathToFileURL(path).href, { tsconfigPaths: true }).import<typeof exported | null>(path)) ??
        {})
    documents = typeof exported.documents === 'function' ? await exported.documents() : exported.documents
  } catch (error) {
    if (error instanceof UsageError) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${file} could not be loaded: ${message.split('\n')[0]!}`)
  }
  if (!isByVersion(documents))
    throw new UsageError(
      `${file} does not export documents by version. ` +
        'Export them: export const documents = { 1: openapi(routes, controllers, { version: 1, info }) }.',
    )
  const { changes = {}, recordings = {} } = exported
  if (!hasValues(changes, isChanges))
    throw new UsageError(
      `${file} does not export changes by version. Export them: export const changes = { 1: [change('…', …)] }.`,
    )
  if (!hasValues(recordings, isRecording))
    throw new UsageError(
      `${file} does not export recordings by version. Export what record() returned: export const recordings = { 1: … }.`,
    )
  return { documents, changes: changes as Contracts['changes'], recordings: recordings as Contracts['recordings'] }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const hasValues = (value: unknown, isValid: (one: unknown) => boolean): boolean =>
  isObject(value) && Object.values(value).every(isValid)

const isChanges = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => isObject(one) && typeof one['about'] === 'string')
const isRecording = (value: unknown): boolean =>
  hasValues(value, (one) => isObject(one) && typeof one['status'] === 'number' && isObject(one['headers']))

const isByVersion = (value: unknown): value is Readonly<Record<string, object>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(
    ([version, document]) =>
      /^[1-9]\d*$/.test(version) && typeof (document as { readonly openapi?: unknown } | null)?.openapi === 'string',
  )
