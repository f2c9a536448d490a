import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Io, display, paint, print } from '../output.ts'
import { loadContracts } from '../project/documents.ts'
import type * as cli from './define.ts'

const declare = (command: cli.Command) =>
  command
    .requiredOption(
      '--documents <module>',
      'a module that exports `documents`: an object by version, or a function',
    )
    .option('--out <folder>', 'where to write v1.json and so on', 'openapi')
    .option('--check', 'only compare, and exit with 1 if a file differs')

export const define: cli.Define = (command, run) =>
  declare(command).action((options) => run((io) => openapi(io, options)))

/** Writes one file per document: `openapi/v1.json`. */
async function openapi(
  io: Io,
  { documents: named, out, check }: cli.OptionsOf<typeof declare>,
): Promise<number> {
  const { documents } = await loadContracts(io, named)
  const folder = resolve(io.cwd, out)
  const files = Object.entries(documents).map(([version, document]) => ({
    path: resolve(folder, `v${version}.json`),
    text: `${JSON.stringify(document, null, 2)}\n`,
  }))
  const stale = files.filter(
    ({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text,
  )
  const names = (existsSync(folder) ? readdirSync(folder) : []).filter((name) =>
    /^v\d+\.json$/.test(name),
  )
  const unused = names
    .map((name) => resolve(folder, name))
    .filter((path) => files.every((file) => file.path !== path))
  if (check !== true && stale.length > 0) mkdirSync(folder, { recursive: true })
  for (const { path, text } of stale) {
    if (check !== true) writeFileSync(path, text)
    const word = check === true ? paint(io.out, 'red', 'differs') : paint(io.out, 'green', 'write')
    print(io, `${word}  ${display(io, path)}`)
  }
  if (stale.length + unused.length === 0) print(io, 'Every document is up to date.')
  for (const path of unused)
    print(
      io,
      `${paint(io.out, 'red', 'unused')}  ${display(io, path)}: its version has no document. Delete the file.`,
    )
  return check === true && stale.length + unused.length > 0 ? 1 : 0
}
