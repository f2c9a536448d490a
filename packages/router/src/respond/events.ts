import { isEvent, ownerOf, readEvent } from '../changes/actions.ts'
import { silencePromises } from '../changes/guard.ts'
import { isAnyObject, isObject } from '../objects.ts'
import { isLibrary } from '../changes/library-schema.ts'
import { translationOf } from '../changes/translation.ts'
import { type Api, assertApi } from '../compile/api.ts'
import { RouterError, assertKnown, assertObject, invalidOption } from '../errors.ts'
import type {
  EventAction,
  EventContext,
  EventDescription,
  EventOptions,
  EventsOf,
  Readable,
} from '../types/events.ts'
import type { Schema, SchemaValue } from '../types/schema.ts'

/**
 * Declares an event: something that the API sends without being asked, such as a webhook or a
 * message of a stream. It's an action of a controller, but no route leads to it.
 * {@link createEvents} makes its payloads, and changes convert them the way they convert responses.
 *
 * @param schema - the payload in this version
 * @throws RouterError HV_OPTION
 * @example
 * const users = { show, created: event(UserCreated, { summary: 'A user signed up.' }) }
 * export const v2 = { users }
 * export const v1 = before(v2, fullName)
 */
export function event<
  S extends Schema,
  Input = SchemaValue<S, 'output', any>,
  const Payload extends Readable<SchemaValue<S, 'output', any>> = SchemaValue<S, 'output', any>,
>(schema: S, options: EventOptions<Input, Payload> = {}): EventAction<S, Input> {
  const where = 'event()'
  const isSchema = isObject(schema) || typeof schema === 'boolean' || isLibrary(schema)
  if (!isSchema) throw invalidOption(where, 'schema', payloadSchema, schema)
  assertObject(where, 'options', "an object like { summary: 'A user signed up.' }", options)
  assertKnown(where, options, Object.keys(knownOptions))
  const { handler = same, ...description } = options
  const isSync = typeof handler === 'function' && handler.constructor.name !== 'AsyncFunction'
  if (!isSync) throw invalidOption(where, 'handler', syncFunction, handler)
  // Neither statusBecame() nor withResponses() changes an event's default response.
  return {
    event: true,
    schema: { ...description, response: { default: schema } },
    handler,
  } as never
}

const payloadSchema = 'a schema. For a DTO class, import event from the Nest package'
const knownOptions: Record<keyof EventOptions<never, never>, true> = {
  summary: true,
  description: true,
  tags: true,
  operationId: true,
  deprecated: true,
  externalDocs: true,
  hide: true,
  handler: true,
}
const syncFunction = "a function that isn't async. Load what the payload needs first"
const same = (payload: unknown): unknown => payload

/** An event of a version. */
export interface DeclaredEvent {
  /** The controller's key. */
  readonly key: string
  readonly name: string
  readonly schema: EventDescription & { readonly response: { readonly default: Schema } }
  readonly handler: (input: unknown, context: EventContext) => unknown
  readonly action: EventAction<Schema, unknown>
}

/**
 * Lists the events of a version's controllers.
 *
 * @param controllers - undefined for a version that has none
 */
export function eventsOf(controllers: object | undefined): readonly DeclaredEvent[] {
  const events: DeclaredEvent[] = []
  for (const [key, controller] of Object.entries(controllers ?? {}) as [string, unknown][]) {
    if (!isAnyObject(controller)) continue // createRouter reports it
    for (const [name, declared] of Object.entries(controller)) {
      if (!isEvent(declared)) continue
      const action = readEvent(declared as EventAction<Schema, unknown>)
      const { schema, handler } = action
      events.push({ key, name, schema, handler: handler.bind(ownerOf(controller)), action })
    }
  }
  return events
}

/**
 * Creates the functions that make the payloads of events, by controller and event. Each takes what
 * the event's handler takes, and the receiver's version. It returns the payload as that version has
 * it, or null if the version doesn't have the event.
 *
 * @param controllers - what you pass to the adapter's `createRouter`
 * @throws RouterError HV_OPTION. The functions throw HV_UNKNOWN_VERSION for a version that isn't
 *   declared, HV_OPTION for a promise, and what a conversion throws
 * @example
 * const events = createEvents(routes, { 1: v1, 2: v2 })
 * for (const { url, version } of endpoints) {
 *   const payload = events.users.created(user, { version })
 *   if (payload !== null) await send(url, JSON.stringify(payload))
 * }
 */
export function createEvents<T, const C extends object>(
  api: Api<T>,
  controllers: C,
): EventsOf<T, C> {
  const where = 'createEvents()'
  const { versions: known } = assertApi(api as Api, where).settings
  assertObject(where, 'controllers', 'the controllers by version', controllers)
  const makers = new Map<string, Map<string, Map<number, Maker>>>()
  for (const version of known)
    for (const declared of eventsOf((controllers as Record<number, object>)[version])) {
      const { key, name } = declared
      const byName = makers.get(key) ?? new Map<string, Map<number, Maker>>()
      const byVersion = byName.get(name) ?? new Map<number, Maker>()
      makers.set(key, byName.set(name, byVersion.set(version, makerOf(declared, version))))
    }

  return mapValues(makers, (byName) =>
    mapValues(byName, (byVersion) => (input: unknown, options: EventContext) => {
      assertObject(where, 'options', 'an object like { version: 2 }', options)
      const { version } = options
      if (!known.includes(version)) throw new RouterError('HV_UNKNOWN_VERSION', { version, known })
      return byVersion.get(version)?.(input) ?? null
    }),
  ) as never
}
type Maker = (input: unknown) => unknown

function makerOf({ key, name, handler, action }: DeclaredEvent, version: number): Maker {
  const { respond } = translationOf({ ...action })
  const context = { version }
  return (input) => {
    const payload = handler(input, context)
    // JSON.stringify would write `{}` for a promise.
    if (silencePromises(payload))
      throw invalidOption(`${key}.${name}`, 'handler', syncFunction, payload)
    return respond === null ? payload : respond(200, payload, () => {}).body
  }
}

const mapValues = <V, R>(values: ReadonlyMap<string, V>, map: (value: V) => R): object =>
  Object.fromEntries([...values].map(([key, value]) => [key, map(value)]))
