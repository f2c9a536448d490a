import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Io, display, print, printStep } from '../output.ts'
import { loadContracts } from '../project/documents.ts'
import { writeInside } from '../project/files.ts'
import type * as cli from './define.ts'

export const declare = (command: cli.Command) =>
  command
    .requiredOption(
      '--documents <module>',
      'a module that exports `documents`: an object by version, or a function',
    )
    .option('--out <folder>', 'where to write v1.json and so on (default: openapi)')
    .option('--check', 'only compare, and exit with 1 if a file differs')

/** Writes a file per document: `openapi/v1.json`. */
export async function run(io: Io, options: cli.OptionsOf<typeof declare>): Promise<number> {
  const { documents } = (await loadContracts(io, options.documents))!
  const isCheck = options.check === true
  const folder = resolve(io.cwd, options.out ?? 'openapi')
  const names = existsSync(folder) ? readdirSync(folder) : []
  let staleFiles = 0
  for (const [version, document] of Object.entries(documents)) {
    const path = join(folder, `v${version}.json`)
    const text = `${JSON.stringify(document, null, 2)}\n`
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
    staleFiles++
    if (isCheck) printStep(io, 'red', 'differs', display(io, path))
    else {
      writeInside({ root: options.out === undefined ? io.cwd : folder, path, text })
      printStep(io, 'green', 'write', display(io, path))
    }
  }
  for (const name of names) {
    const [, version] = /^v(\d+)\.json$/.exec(name) ?? []
    if (version === undefined || version in documents) continue
    staleFiles++
    const file = display(io, join(folder, name))
    printStep(io, 'red', 'unused', `${file}: its version has no document. Delete the file.`)
  }
  if (staleFiles === 0) print(io, 'Every document is up to date.')
  return isCheck && staleFiles > 0 ? 1 : 0
}
