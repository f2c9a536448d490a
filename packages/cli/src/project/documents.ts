import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Change } from '@hv/router'
import { type Io, UsageError, display } from '../output.ts'
import { importModule } from './import-module.ts'
import { isByName, isByVersion, readJson } from './json.ts'

/** OpenAPI documents by version. */
export type Documents = Readonly<Record<string, object>>

/** What a module exports about an API's versions. */
export interface Contracts {
  readonly documents: Documents
  /** Changes by older version: `{ 1: [change] }` leads from version 1 to version 2. */
  readonly changes: Readonly<Record<string, readonly Pick<Change, 'about'>[]>>
}

/**
 * Loads what a module exports, or a JSON file with the same properties or with only the documents.
 * Null if `--documents` isn't set.
 */
export async function loadContracts(io: Io, named: string | undefined): Promise<Contracts | null> {
  if (named === undefined) return null
  const path = resolve(io.cwd, named)
  const file = display(io, path)
  if (!existsSync(path)) throw new UsageError(`${file} doesn't exist.`)
  const isJson = path.endsWith('.json')
  const loaded = isJson ? readJson(io, path) : await importModule(io, path)
  const exported = (loaded ?? {}) as Partial<Record<keyof Contracts, unknown>>
  const { changes = {}, documents: given = isJson ? loaded : undefined } = exported
  const documents = typeof given === 'function' ? await given() : given

  const isDocument = (value: unknown) => isByName(value) && typeof value['openapi'] === 'string'
  if (!isByVersion(documents, isDocument) || Object.keys(documents).length === 0)
    throw new UsageError(
      `${file} doesn't export documents by version. Export them: ` +
        'export const documents = { 1: openapi(routes, controllers, { version: 1, info }) }',
    )
  const isChange = (value: unknown) => isByName(value) && typeof value['about'] === 'string'
  if (!isByVersion(changes, (list) => Array.isArray(list) && list.every(isChange)))
    throw new UsageError(
      `${file} doesn't export changes by version. Export them: ` +
        "export const changes = { 1: [change('…', …)] }",
    )
  return { documents, changes } as Contracts
}
