import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import type { Controllers } from '../../controllers/controllers.ts'
import { isCommonJs } from '../../modules/read-exports.ts'
import { type Io, UsageError, count, display, paint, print } from '../../output.ts'
import { styleOf } from '../../syntax/style.ts'
import { importExtensionOf } from '../../controllers/import-extension.ts'
import { openProject } from '../context.ts'
import type { MapOptions } from './command.ts'
import { type Entry, entriesOf } from './entries.ts'
import { type MapStyle, mapText } from './write.ts'

/** Writes a file that imports every controller that the routes reach, and exports the map for `createRouter`. */
export async function map(io: Io, options: MapOptions): Promise<number> {
  const { routeFile, controllers } = await openProject(io, options)
  if (controllers === null)
    throw new UsageError('no controllers folder found. Name the folder that holds api/v1 with --controllers <folder>.')
  const entries = entriesOf(io, routeFile, controllers)
  const path = outputPath(io, controllers, entries, options)
  const exists = existsSync(path)
  if (exists && options.force !== true)
    throw new UsageError(`${display(io, path)} exists already. Overwrite it with --force.`)
  const text = mapText(path, entries, styleOfMap(entries, extname(path)))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  const name = entries.some(({ needsArguments }) => needsArguments) ? 'createControllers' : 'controllers'
  print(io, `${paint(io.out, 'green', exists ? 'update' : 'create')}  ${display(io, path)}`)
  print(io, `It exports ${name} with ${count(entries.length, 'controller')}.`)
  return 0
}

/** Beside the controllers, in the language of the first of them. */
function outputPath(io: Io, { folder }: Controllers, entries: readonly Entry[], { out }: MapOptions): string {
  if (out !== undefined) return resolve(io.cwd, out)
  const extension = extname(entries[0]!.file.path)
  return join(dirname(folder.root), `map${extension}`)
}

function styleOfMap(entries: readonly Entry[], extension: string): MapStyle {
  const sources = entries.map(({ controller }) => controller.file)
  return {
    ...styleOf(sources[0]!, sources.slice(1)),
    isTypeScript: extension.endsWith('ts'),
    isModule: extension.endsWith('ts') || !sources.every(isCommonJs),
    extension: (path) => importExtensionOf(path, sources),
  }
}
