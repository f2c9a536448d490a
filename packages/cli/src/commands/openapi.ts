import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type Io, display, print } from '../output.ts'
import { loadContracts } from '../project/documents.ts'
import { writeInside } from '../project/files.ts'
import type * as cli from './define.ts'

const declare = (command: cli.Command) =>
  command
    .requiredOption(
      '--documents <module>',
      'a module that exports `documents`: an object by version, or a function',
    )
    .option('--out <folder>', 'where to write v1.json and so on (default: openapi)')
    .option('--check', 'only compare, and exit with 1 if a file differs')

export const define: cli.Define = (command, run) =>
  declare(command).action((options) => run((io) => openapi(io, options)))

/** Writes a file per document: `openapi/v1.json`. */
async function openapi(io: Io, options: cli.OptionsOf<typeof declare>): Promise<number> {
  const { documents } = (await loadContracts(io, options.documents))!
  const folder = resolve(io.cwd, options.out ?? 'openapi')
  const files = Object.entries(documents).map(([version, document]) => ({
    path: join(folder, `v${version}.json`),
    text: `${JSON.stringify(document, null, 2)}\n`,
  }))
  const stale = files.filter(
    ({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text,
  )
  const names = new Set(files.map(({ path }) => basename(path)))
  const unused = (existsSync(folder) ? readdirSync(folder) : []).filter(
    (name) => /^v\d+\.json$/.test(name) && !names.has(name),
  )
  const isCheck = options.check === true
  for (const file of stale) {
    if (!isCheck) writeInside(options.out === undefined ? io.cwd : folder, file)
    const word = isCheck
      ? ({ style: 'red', text: 'differs' } as const)
      : ({ style: 'green', text: 'write' } as const)
    print(io, { ...word, rest: `  ${display(io, file.path)}` })
  }
  for (const name of unused) {
    const file = display(io, join(folder, name))
    const rest = `  ${file}: its version has no document. Delete the file.`
    print(io, { style: 'red', text: 'unused', rest })
  }
  if (stale.length + unused.length === 0) print(io, 'Every document is up to date.')
  return isCheck && stale.length + unused.length > 0 ? 1 : 0
}
