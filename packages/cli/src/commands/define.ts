import { Command as PlainCommand, InvalidArgumentError } from 'commander'
import type { Command } from '@commander-js/extra-typings'

/** A command whose option types follow from its definition. Only the types are those of `extra-typings`. */
export const defineCommand = (name: string, description: string, example: string): Command =>
  (new PlainCommand(name) as unknown as Command)
    .description(description)
    .addHelpText('after', `\nExample:\n  $ ${example}`)

export const routesOption = ['--routes <file>', 'the route file (default: src/routes.ts and the like)'] as const
export const controllersOption = [
  '--controllers <folder>',
  'the folder that holds api/v1 (default: controllers, src/controllers or app/controllers)',
] as const
export const jsonOption = ['--json', 'print JSON'] as const

/** Reads `users,admin/teams`. */
export const parseList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Reads the method of a route: `get`. */
export function parseVerb(text: string): string {
  const method = text.toUpperCase()
  if (!methods.includes(method)) throw new InvalidArgumentError(`The methods of routes are ${methods.join(', ')}.`)
  return method
}

/** Reads `1,3`. */
export const parseVersions = (text: string): readonly number[] => parseList(text).map(parseVersion)

/** Reads `2`. */
export function parseVersion(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('A version is a whole number from 1.')
  return Number(text)
}

/** Reads `90`. */
export function parseDays(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('Pass a whole number of days.')
  return Number(text)
}

/** The options that a definition declares. */
export type OptionsOf<Define extends () => { opts(): object }> = Readonly<ReturnType<ReturnType<Define>['opts']>>
