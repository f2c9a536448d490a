import { assertFunction, assertKnown, assertObject, invalidOption } from '../errors.ts'
import type { Schema, SchemaDirection, SchemaValue } from '../types/schema.ts'
import { isAnyObject, isObject } from '../objects.ts'

interface Only<Actions extends readonly string[] = readonly string[]> {
  /** The actions that changed: `['users.index']`. Default: every action that has what changed. */
  readonly only?: Actions
}

/**
 * How values of one schema become values of the other. You can leave out a direction that no
 * request, or no response, needs.
 */
export interface Conversions<Older, Newer, NewerInput = Newer> extends Only {
  /** Converts an older client's request once it's valid. The result is validated as well. */
  readonly up?: (older: Older) => NewerInput
  /** Converts a response for an older client, before it's serialized. */
  readonly down?: (newer: Newer) => Older
  /** Headers for older responses, made from the newer value. If one is undefined, it isn't set. */
  readonly headers?: (newer: Newer) => Readonly<Record<string, string | undefined>>
  /** The status of older responses with this value. */
  readonly status?: number
}

/** A schema, and the schema that it became. */
export interface Became<O extends Schema = Schema, N extends Schema = Schema> extends Conversions<
  any,
  any
> {
  /** The schema of the older version. */
  readonly older: O
  /** The schema of the newer version. */
  readonly newer: N
}

/** A status, and the status that it became. */
export interface StatusBecame<
  O extends number = number,
  N extends number = number,
  Actions extends readonly string[] = readonly string[],
> extends Only<Actions> {
  readonly status: { readonly older: O; readonly newer: N }
}

/** The name of a response header, and the name that it became. */
export interface HeaderBecame extends Only {
  readonly header: { readonly older: string | null; readonly newer: string }
}

/** One step of a change. */
export type Step = Became | StatusBecame | HeaderBecame

/** What changed from one version to the next. */
export interface Change<Steps extends readonly Step[] = readonly Step[]> {
  /** One sentence for the changelog. */
  readonly about: string
  /** What became something else. */
  readonly became: Steps
}

/** Plain JSON Schema has no type. */
type Value<S, Direction extends SchemaDirection = 'output'> = SchemaValue<S, Direction, any>

/**
 * Declares that a schema became a different one. The newer schema is found wherever an action has
 * it: as a body, in a list, in a property, in a union with null. It has to be the same object, or
 * have the same `$id`.
 *
 * @throws RouterError HV_OPTION
 * @example became(UserV1, User, { down: ({ fullName, ...user }) => ({ ...user, name: fullName }) })
 */
export function became<const O extends Schema, const N extends Schema>(
  older: O,
  newer: N,
  conversions: NoInfer<Conversions<Value<O>, Value<N>, Value<N, 'input'>>>,
): Became<O, N> {
  const where = 'became()'
  for (const [option, schema] of Object.entries({ older, newer })) {
    const isSchema = isAnyObject(schema) || typeof schema === 'boolean'
    if (!isSchema) throw invalidOption(where, option, 'a schema', schema)
  }
  assertObject(where, 'conversions', 'an object like { down: (newer) => older }', conversions)
  assertKnown(where, conversions, ['up', 'down', 'headers', 'status', 'only'])
  const { only, status, ...functions } = conversions
  assertOnly(where, only)
  if (status !== undefined) assertStatus(where, 'status', status)
  for (const [option, received] of Object.entries(functions))
    assertFunction(where, option, received)
  return { older, newer, ...conversions }
}

/**
 * Declares that a status became a different one, by default in every action whose schema declares
 * the newer status. If one of them is 204, 205 or 304, older responses have no body.
 *
 * @param options - `only`: the actions that it's limited to
 * @throws RouterError HV_OPTION
 * @example
 * change('Creating a user responds with 201.', statusBecame(200, 201, { only: ['users.create'] }))
 */
export function statusBecame<
  O extends number,
  N extends number,
  const Actions extends readonly string[],
>(older: O, newer: N, options: Only<Actions> = {}): StatusBecame<O, N, Actions> {
  const where = 'statusBecame()'
  assertStatus(where, 'older', older)
  assertStatus(where, 'newer', newer)
  assertKnown(where, options, ['only'])
  assertOnly(where, options.only)
  return { status: { older, newer }, ...options }
}

/**
 * Declares that a response header became a different one, by default in every action. If the older
 * header is null, older responses are sent without the newer header. If a handler sets the older
 * header itself, that's what is sent. Request headers are in `schema.headers`, so {@link became}
 * changes those.
 *
 * @param options - `only`: the actions that it's limited to
 * @throws RouterError HV_OPTION
 * @example change('The account header has no vendor.', headerBecame('Acme-Account', 'Account'))
 */
export function headerBecame(
  older: string | null,
  newer: string,
  options: Only = {},
): HeaderBecame {
  const where = 'headerBecame()'
  for (const [option, name] of Object.entries({ newer, older: older ?? 'x' }))
    if (!isOfApp(name)) throw invalidOption(where, option, 'a header that your app sets', name)
  if (older?.toLowerCase() === newer.toLowerCase())
    throw invalidOption(where, 'older', 'another name than newer', older)
  assertKnown(where, options, ['only'])
  assertOnly(where, options.only)
  return { header: { older, newer }, ...options }
}

const routerHeaders = /^(?:api-version|connection|content-length|transfer-encoding|upgrade)$/i

/**
 * Whether an app may set a header. It can't be one of the router's, or one that delimits the
 * message.
 */
export const isOfApp = (header: unknown): boolean =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(String(header)) && !routerHeaders.test(String(header))

function assertStatus(where: string, option: string, received: unknown): void {
  if (typeof received !== 'number' || !/^[2-5]\d\d$/.test(`${received}`))
    throw invalidOption(where, option, 'a status from 200 to 599', received)
}

function assertOnly(where: string, received: unknown): void {
  if (received !== undefined && !Array.isArray(received))
    throw invalidOption(where, 'only', "a list of actions like ['users.index']", received)
}

/**
 * Describes what changed from one version to the next. It's plain data, which `before` undoes.
 *
 * @param about - one sentence for the changelog
 * @param steps - what became something else
 * @throws RouterError HV_OPTION
 * @example
 * const fullName = change('A user has a full name.',
 *   became(UserV1, User, { down: ({ fullName, ...user }) => ({ ...user, name: fullName }) }),
 *   became(NewUserV1, NewUser, { up: ({ name }) => ({ fullName: name }) }))
 */
export function change<const Steps extends readonly Step[]>(
  about: string,
  ...steps: Steps
): Change<Steps> {
  if (typeof about !== 'string') throw invalidOption('change()', 'about', 'a sentence', about)
  if (steps.length === 0 || !steps.every(isStep))
    throw invalidOption('change()', 'its steps', 'what became() returns', steps)
  return { about, became: steps }
}

const isStep = (value: unknown): boolean =>
  isObject(value) && ('newer' in value || 'status' in value || 'header' in value)

/** Whether a value is what {@link change} returns. */
export const isChange = (value: unknown): boolean =>
  Array.isArray((value as Partial<Change> | null | undefined)?.became)
