import { readFileSync } from 'node:fs'
import { isObject } from '@hv/router/internal'
import { type Io, UsageError, display, withoutControls } from '../output.ts'

/** Whether a value is an object, but not a list, whose values are all valid. */
export const isByName = (
  value: unknown,
  isValid: (item: unknown) => boolean = () => true,
): value is Readonly<Record<string, unknown>> =>
  isObject(value) && Object.values(value).every((item) => isValid(item))

export const isByVersion = (
  value: unknown,
  isValid: (item: unknown) => boolean,
): value is Readonly<Record<string, unknown>> =>
  isByName(value, isValid) && Object.keys(value).every((version) => /^[1-9]\d*$/.test(version))

/** Reads a JSON file, with or without the byte order mark that editors on Windows write. */
export function readJson(io: Io, path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageError(
      `${display(io, path)} can't be read: ${withoutControls((error as Error).message)}`,
    )
  }
}
