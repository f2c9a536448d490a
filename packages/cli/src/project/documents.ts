import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { createJiti } from 'jiti'
import { type Io, UsageError, display } from '../output.ts'

/** OpenAPI documents by version. */
export type Documents = Readonly<Record<string, object>>

/**
 * Loads the documents that a module exports as `documents`, or that a JSON file has, by version.
 *
 * @throws UsageError
 */
export async function loadDocuments(io: Io, path: string): Promise<Documents> {
  const file = display(io, path)
  if (!existsSync(path)) throw new UsageError(`${file} does not exist.`)
  let exported: { readonly documents?: unknown }
  let documents: unknown
  try {
    exported = path.endsWith('.json')
      ? { documents: JSON.parse(readFileSync(path, 'utf8')) as unknown }
      : await createJiti(pathToFileURL(path).href, { tsconfigPaths: true }).import<typeof exported>(path)
    documents = typeof exported.documents === 'function' ? await exported.documents() : exported.documents
  } catch (error) {
    throw new UsageError(`${file} could not be loaded: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!isByVersion(documents))
    throw new UsageError(
      `${file} does not export documents by version. ` +
        'Export them: export const documents = { 1: openapi(routes, controllers, { version: 1, info }) }.',
    )
  return documents
}

const isByVersion = (value: unknown): value is Readonly<Record<string, object>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(
    ([version, document]) =>
      /^[1-9]\d*$/.test(version) && typeof (document as { readonly openapi?: unknown } | null)?.openapi === 'string',
  )
