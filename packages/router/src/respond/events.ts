import { actionsOf, isEvent, ownerOf } from '../changes/actions.ts'
import { silencePromises } from '../changes/guard.ts'
import { isObject } from '../objects.ts'
import { isLibrary } from '../changes/schema-view.ts'
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
  readonly action: EventAction<Schema, unknown> & { readonly schema: EventDescription }
  /** What `this` is in the handler. */
  readonly owner: object
}

/**
 * Lists the events of a version's controllers.
 *
 * @param controllers - undefined for a version that has none
 */
export const eventsOf = (controllers: object | undefined): readonly DeclaredEvent[] =>
  Object.entries(controllers ?? {}).flatMap(([key, controller]) =>
    [...actionsOf(controller)]
      .filter(([, action]) => isEvent(action))
      .map(([name, action]) => ({
        key,
        name,
        action: action as never,
        owner: ownerOf(controller),
      })),
  )

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
  const events: Record<string, Record<string, Make>> = Object.create(null)
  for (const version of known)
    for (const declared of eventsOf((controllers as Record<number, object>)[version])) {
      const ofController = (events[declared.key] ??= Object.create(null) as Record<string, Make>)
      const make = makerOf(declared)
      // The versions before it have theirs already.
      const others = ofController[declared.name] ?? makeNone
      ofController[declared.name] = (input, options) =>
        (options?.version === version ? make : others)(input, options)
    }
  return events as never

  function makeNone(_input: unknown, options: EventContext): null {
    assertObject(where, 'options', 'an object like { version: 2 }', options)
    const { version } = options
    if (!known.includes(version)) throw new RouterError('HV_UNKNOWN_VERSION', { version, known })
    return null
  }
}
type Make = DeclaredEvent['action']['handler']

function makerOf({ key, name, action, owner }: DeclaredEvent): Make {
  const { respond } = translationOf(action)
  const handler = action.handler.bind(owner)
  return (input, { version }) => {
    const payload = handler(input, { version })
    // JSON.stringify would write `{}` for a promise.
    if (silencePromises(payload))
      throw invalidOption(`${key}.${name}`, 'handler', syncFunction, payload)
    return respond(200, payload, () => {}).body
  }
}
