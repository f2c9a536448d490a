import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createJiti } from 'jiti'
import { type Io, UsageError, display, paint, print } from '../../output.ts'
import type { OpenapiOptions } from './command.ts'

/** Writes one file per document: `openapi/v1.json`. */
export async function openapi(io: Io, { documents: named, out, check }: OpenapiOptions): Promise<number> {
  const documents = await loadDocuments(io, resolve(io.cwd, named))
  const files = Object.entries(documents).map(([version, document]) => ({
    path: resolve(io.cwd, out, `v${version}.json`),
    text: `${JSON.stringify(document, null, 2)}\n`,
  }))
  const stale = files.filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
  if (check === true) {
    for (const { path } of stale) print(io, `${paint(io.out, 'red', 'differs')}  ${display(io, path)}`)
    if (stale.length > 0) print(io, 'Run the command without --check to write the files.')
    return stale.length > 0 ? 1 : 0
  }
  if (stale.length > 0) mkdirSync(resolve(io.cwd, out), { recursive: true })
  for (const { path, text } of stale) {
    writeFileSync(path, text)
    print(io, `${paint(io.out, 'green', 'write')}  ${display(io, path)}`)
  }
  if (stale.length === 0) print(io, 'Every document is up to date.')
  return 0
}

async function loadDocuments(io: Io, path: string): Promise<Readonly<Record<string, object>>> {
  const file = display(io, path)
  if (!existsSync(path)) throw new UsageError(`${file} does not exist.`)
  let exported: { readonly documents?: unknown }
  let documents: unknown
  try {
    exported = await createJiti(pathToFileURL(path).href, { tsconfigPaths: true }).import<typeof exported>(path)
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
