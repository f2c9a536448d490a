import { InvalidArgumentError } from 'commander'
import type { Command } from '@commander-js/extra-typings'
import { type Io, UsageError, display, writeLine } from '../output.ts'
import type { RouteFile } from '../route-file/route-file.ts'

/** Declares a command's arguments and options, and what it does. Its module exports it as `define`. */
export type Define = (
  command: Command,
  run: (body: (io: Io) => number | Promise<number>) => Promise<void>,
) => unknown

export type { Command }

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

/** Creates a parser that accepts texts of a pattern, and converts them. */
export const parser =
  <Value = string>(pattern: RegExp, message: string, convert = (text: string) => text as Value) =>
  (text: string): Value => {
    if (!pattern.test(text)) throw new InvalidArgumentError(message)
    return convert(text)
  }

/** Reads `2`. */
export const parseVersion = parser(/^[1-9]\d{0,14}$/, 'A version is a whole number from 1.', Number)

/** Names the route file on stderr, so that piped output contains nothing but the result. */
export function reportRouteFile(
  io: Io,
  { path }: RouteFile,
  { json }: { readonly json?: true } = {},
): void {
  if (json !== true) writeLine(io.err, { style: 'dim', text: `Route file: ${display(io, path)}` })
}

export function assertDeclared({ settings }: RouteFile, versions: readonly number[] = []): void {
  const unknown = versions.find((version) => !settings.versions.includes(version))
  if (unknown !== undefined)
    throw new UsageError(
      `version ${unknown} isn't declared. Declared versions: ${settings.versions.join(', ')}.`,
    )
}
