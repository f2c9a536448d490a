import { InvalidArgumentError } from 'commander'
import type { Command } from '@commander-js/extra-typings'
import { type Io, UsageError, writeLine } from '../output.ts'
import { loadRouteFile } from '../route-file/load.ts'
import type { RouteFile } from '../route-file/route-file.ts'

export type { Command }

/** What each command's module exports. */
export interface CommandModule {
  /** Adds the command's arguments and options. */
  declare(command: Command): object
  /**
   * Runs the command with the values of its arguments, then its options.
   *
   * @returns the exit code
   */
  run(io: Io, ...values: never[]): number | Promise<number>
}

export type OptionsOf<Declare extends (command: Command) => { opts(): object }> = Readonly<
  ReturnType<ReturnType<Declare>['opts']>
>

export const routesOption = [
  '--routes <file>',
  'the route file (default: src/routes.ts and the like)',
] as const
export const controllersOption = [
  '--controllers <folder>',
  'the folder that contains api/v1',
] as const
export const documentsOption = [
  '--documents <module>',
  'also compare the OpenAPI documents that a module exports',
] as const
export const openEnumsOption = ['--open-enums', 'allow new enum values in responses'] as const
export const jsonOption = ['--json', 'print JSON'] as const

/** Creates a parser that accepts texts of a pattern. */
export const parser = (pattern: RegExp, message: string) => (text: string) => {
  if (!pattern.test(text)) throw new InvalidArgumentError(message)
  return text
}

/** Reads `2`. */
export const parseVersion = (text: string): number =>
  Number(parser(/^[1-9]\d{0,14}$/, 'A version is a whole number from 1.')(text))

/**
 * Loads the route file, and names it on stderr, so that piped output contains nothing but the
 * result.
 *
 * @param asked - versions that it has to declare
 */
export async function openRouteFile(
  io: Io,
  options: { readonly routes?: string | undefined; readonly json?: true | undefined },
  asked: readonly number[] = [],
): Promise<RouteFile> {
  const routeFile = await loadRouteFile(io, options.routes)
  const { versions } = routeFile.settings
  const unknown = asked.find((version) => !versions.includes(version))
  if (unknown !== undefined)
    throw new UsageError(
      `version ${unknown} isn't declared. Declared versions: ${versions.join(', ')}.`,
    )
  if (options.json !== true)
    writeLine(io.err, { style: 'dim', text: `Route file: ${routeFile.name}` })
  return routeFile
}
