import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of the first of these programs that is on the PATH; undefined if none is. */
export const findProgram = (...names: readonly string[]): string | undefined =>
  names
    .flatMap((name) =>
      (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)),
    )
    .find((file) => existsSync(file))
