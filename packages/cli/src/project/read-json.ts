import { readFileSync } from 'node:fs'
import { type Io, UsageError, display } from '../output.ts'

/**
 * Reads a JSON file, with or without the byte order mark that editors on Windows write.
 *
 * @throws UsageError when it cannot be read, or is not JSON
 */
export function readJson(io: Io, path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageError(`${display(io, path)} cannot be read: ${(error as Error).message}`)
  }
}
