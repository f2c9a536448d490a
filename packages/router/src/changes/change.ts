import { RouterError, failOption, requireFunction, requireObject } from '../errors.ts'
import type { Schema, SchemaDirection, SchemaValue } from '../types/schema.ts'

/** How values of one schema become values of the other. A direction that no request and no response needs may be left out. */
export interface Conversions<Older, Newer, NewerInput = Newer> {
  /** Converts the request of an older client, after it was validated. What it returns is validated by the newer schema. */
  readonly up?: (older: Older) => NewerInput
  /** Converts the response for an older client, before it is serialized. */
  readonly down?: (newer: Newer) => Older
  /** Headers that older responses have, made from the newer value. A header that is undefined is not set. */
  readonly headers?: (newer: Newer) => Readonly<Record<string, string | undefined>>
  /** The actions that changed: `['users.index']`. Default: every action whose schema contains the newer schema. */
  readonly only?: readonly string[]
}

/** A schema, and the schema that it became. */
export interface Became<O extends Schema = Schema, N extends Schema = Schema> extends Pick<
  Conversions<never, never>,
  'headers' | 'only'
> {
  /** The schema of the older version. */
  readonly older: O
  /** The schema of the newer version. */
  readonly newer: N
  /** Converts the request of an older client. */
  readonly up?: (older: never) => unknown
  /** Converts the response for an older client. */
  readonly down?: (newer: never) => unknown
}

/** What changed from one version to the next. */
export interface Change<B extends readonly Became[] = readonly Became[]> {
  /** One sentence for the changelog. */
  readonly about: string
  /** The schemas that changed. */
  readonly became: B
}

/** Plain JSON Schema has no type. */
type Value<S, Direction extends SchemaDirection = 'output'> = SchemaValue<S, Direction, any>

const options = ['up', 'down', 'headers', 'only']

/**
 * Declares that a schema became another one. The newer schema is found wherever an action has it: as a body, in a list, in
 * a property, as a nullable value. It is the same object, or has the same `$id`.
 *
 * @throws RouterError HV_OPTION
 * @example became(UserV1, User, { down: ({ fullName, ...user }) => ({ ...user, name: fullName }) })
 */
export function became<O extends Schema, N extends Schema>(
  older: O,
  newer: N,
  conversions: Conversions<Value<O>, Value<N>, Value<N, 'input'>>,
): Became<O, N> {
  const where = 'became()'
  for (const [option, received] of Object.entries({ older, newer }))
    if (!isSchema(received)) failOption(where, option, 'a schema', received)
  requireObject(where, 'conversions', 'an object like { down: (newer) => older }', conversions)
  for (const [option, received] of Object.entries(conversions)) {
    if (!options.includes(option)) throw new RouterError('HV_OPTION', { where, option, known: options })
    if (received === undefined) continue
    if (option !== 'only') requireFunction(where, option, received)
    else if (!Array.isArray(received)) failOption(where, option, "a list of actions like ['users.index']", received)
  }
  return { older, newer, ...conversions } as Became<O, N>
}

/** The schemas of ArkType are functions. */
const isSchema = (value: unknown): boolean =>
  typeof value === 'boolean' || typeof value === 'function' || (typeof value === 'object' && value !== null)

/**
 * Describes a change from one version to the next: plain data, which `before` of an adapter undoes.
 *
 * @param about - one sentence for the changelog
 * @throws RouterError HV_OPTION
 * @example
 * const fullName = change('A user has a full name.',
 *   became(UserV1, User, { down: ({ fullName, ...user }) => ({ ...user, name: fullName }) }),
 *   became(NewUserV1, NewUser, { up: ({ name }) => ({ fullName: name }) }))
 */
export function change<const B extends readonly Became[]>(about: string, ...schemas: B): Change<B> {
  if (typeof about !== 'string') failOption('change()', 'about', 'a sentence', about)
  for (const one of schemas as readonly unknown[])
    if (!isBecame(one)) failOption('change()', 'every schema', 'what became() returns', one)
  return { about, became: schemas }
}

const isBecame = (value: unknown): boolean => typeof value === 'object' && value !== null && 'newer' in value

/** Whether a value is what {@link change} returns. */
export const isChange = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Array.isArray((value as Partial<Change>).became)
