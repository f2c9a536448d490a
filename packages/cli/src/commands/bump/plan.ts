import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Controllers } from '../../controllers/controllers.ts'
import type { ControllerFile } from '../../controllers/find.ts'
import { CannotExtend } from '../../controllers/successor/draft.ts'
import { successorOf } from '../../controllers/successor/successor.ts'
import { type Io, UsageError, display } from '../../output.ts'
import type { BumpOptions } from './command.ts'

/** A file to write. */
export interface Planned {
  readonly path: string
  readonly text: string
}

/** What bump writes. */
export interface BumpPlan {
  readonly base: number
  readonly next: number
  /** The controllers of the base version. */
  readonly source: readonly ControllerFile[]
  readonly files: readonly Planned[]
}

/**
 * Plans the next version of the controllers, before anything is written.
 *
 * @throws UsageError when there is nothing to start from, or when a controller cannot be extended
 */
export function planVersion(io: Io, controllers: Controllers | null, options: BumpOptions): BumpPlan {
  const files = controllers?.folder.files ?? []
  if (controllers === null || files.length === 0)
    throw new UsageError(
      'no controllers found. Put them in controllers/api/v<n>/<resource>_controller.ts, or name another folder with --controllers.',
    )
  const versions = [...new Set(files.map(({ version }) => version))].toSorted((a, b) => a - b)
  const next = options.to ?? versions.at(-1)! + 1
  const base = next - 1
  const source = files.filter(({ version }) => version === base)
  if (source.length === 0)
    throw new UsageError(
      `version ${base} has no controllers to start from. Versions with controllers: ${versions.join(', ')}.`,
    )
  const planned = choose(source, options.only).map((file) => planFile(io, controllers, source, file, next))
  return { base, next, source, files: planned }
}

function choose(files: readonly ControllerFile[], only: readonly string[] | undefined): readonly ControllerFile[] {
  if (only === undefined) return files
  const known = files.map(({ key }) => key)
  const unknown = only.filter((key) => !known.includes(key))
  if (unknown.length > 0)
    throw new UsageError(
      `version ${files[0]!.version} has no controller ${unknown.map((key) => `'${key}'`).join(', ')}. It has: ${known.join(', ')}.`,
    )
  return files.filter(({ key }) => only.includes(key))
}

function planFile(
  io: Io,
  controllers: Controllers,
  source: readonly ControllerFile[],
  file: ControllerFile,
  next: number,
): Planned {
  const name = display(io, file.path)
  const controller = controllers.read(file)
  if (controller === null)
    throw new UsageError(
      `${name} exports no class that bump can find, so nothing was written. ` +
        'Export one: export class UsersController { … }, as default, or by module.exports.',
    )
  if (!('kind' in controller)) throw refusal(io, name, controller.why, controller.place)
  const neighbours = source
    .filter(({ path }) => path !== file.path)
    .flatMap((neighbour) => controllers.source(neighbour) ?? [])
  try {
    const text = successorOf(file, controller, next, neighbours)
    return { path: join(controllers.folder.root, `v${next}`, `${file.key}_controller${extname(file.path)}`), text }
  } catch (error) {
    throw error instanceof CannotExtend ? refusal(io, name, error.message, error.place) : error
  }
}

function refusal(
  io: Io,
  name: string,
  why: string,
  place: { readonly path: string; readonly line: number },
): UsageError {
  const written = display(io, place.path)
  const at = written === name ? `${name}:${place.line}` : `${name} (see ${written}:${place.line})`
  return new UsageError(`${at} cannot be extended: ${why}. Nothing was written.`)
}

/** @throws UsageError when a planned file exists */
export function refuseExisting(io: Io, { files }: BumpPlan): void {
  const existing = files.filter(({ path }) => existsSync(path))
  if (existing.length > 0)
    throw new UsageError(
      `nothing was written, because these files exist: ${existing.map(({ path }) => display(io, path)).join(', ')}. ` +
        'Overwrite them with --force, or choose others with --only.',
    )
}
