import { type Change, RouterError, type Row, type Schema, type Step } from '@hv/router'
import { type SchemaAction, before as beforeActions, translationOf } from '@hv/router/adapter'
import { hasPartial, historyOf } from '@hv/router/internal'
import type { Type } from '@nestjs/common'
import { MetadataScanner } from '@nestjs/core'
import {
  declareOlder,
  declaredResponses,
  describeInconvertible,
  isSuccess,
  readAction,
  responsesKey,
} from './action-schema.ts'
import { baseOf, describeUnreadable, partsOf, schemaOf } from './dto-schema.ts'
import { HTTP_CODE_METADATA, SSE_METADATA } from './internals.ts'
import type { OlderControllers } from './types.ts'

declare global {
  namespace HvRouter {
    interface SchemaTypes<S, Direction extends 'input' | 'output'> {
      /** A DTO class: `User`. */
      dto: S extends abstract new (...args: never[]) => infer Value ? Value : never
      /** A list of DTOs, as `@ApiOkResponse()` takes it: `[User]`. */
      dtos: S extends readonly [abstract new (...args: never[]) => infer Value] ? Value[] : never
    }
  }
}

type Classes = Readonly<Record<string, Type>>
type Actions = ReadonlyMap<string, SchemaAction>

interface Reading {
  readonly actions: Actions
  /** By action: what isn't known of it. Only the route file says which methods are actions. */
  readonly problems: ReadonlyMap<string, string>
}

/** What a class that `before` made stands for. */
interface Derivation {
  /** The class that `before` made. */
  readonly metatype: Type
  /** The next version's class, which serves the actions. */
  readonly newer: Type
  /** Reads the DTOs, on the first call. */
  readonly read: () => Reading
}
const kDerivation = Symbol.for('@hv/router-nest.derivation')
/** What a class, or the nearest class that it extends, was derived from. */
const derivationOf = (metatype: Type): Derivation | undefined =>
  (metatype as { readonly [kDerivation]?: Derivation })[kDerivation]

/**
 * Derives a version's controllers from those of the next version and what changed. If there are
 * several changes, list them in the order in which you made them.
 *
 * Only list the newer classes in modules: their instances serve the older actions. If an action
 * needs a controller of its own, extend the class that this returns, write that method, and list
 * your class in a module.
 *
 * DTOs are read when the app starts, or a document is made. That's when an app gets errors about
 * changes that don't apply.
 *
 * @example
 * const v2 = { users: UsersV2 }
 * const v1 = before(v2, change('A name is in two fields.', became(UserV1, User, { down, up })))
 * VersionedApiModule.forRoot(routes, { 1: v1, 2: v2 })
 */
export function before<M extends Classes>(
  newer: M,
  ...changes: readonly Change[]
): OlderControllers<M> {
  let version: ReadonlyMap<string, Reading> | undefined
  const read = () => (version ??= readVersion(newer, older, changes))
  const older: Record<string, Type> = {}
  for (const [key, metatype] of Object.entries(newer))
    older[key] = extend(key, metatype, () => read().get(key)!)
  return older as never
}

/**
 * Adds responses to those that every action declares, such as the errors that a filter sends. What
 * an action declares itself wins. Only list the classes that you pass in modules.
 *
 * @param responses - DTO classes or schemas by status
 * @example const v2 = withResponses({ users: UsersV2 }, { '4xx': Failure })
 */
export function withResponses<M extends Classes>(
  controllers: M,
  responses: Readonly<Record<string | number, object>>,
): M {
  const extended: Record<string, Type> = {}
  for (const [key, metatype] of Object.entries(controllers)) {
    extended[key] = extend(key, metatype, () => {
      const actions = new Map<string, SchemaAction>()
      for (const [name, action] of readActions(metatype)) {
        const { schema, handler } = readAction(extended[key]!, name)
        const response = { ...schema!.response, ...action.schema!.response }
        actions.set(name, { ...action, handler, schema: { ...action.schema, response } })
      }
      return { actions, problems: new Map() }
    })
    const declared = { ...Reflect.getMetadata(responsesKey, metatype) } as Record<string, object>
    for (const [status, dto] of Object.entries(responses)) {
      const type = Array.isArray(dto) ? { type: dto[0] as Type, isArray: true } : { type: dto }
      const isSchema = typeof dto !== 'function' && !Array.isArray(dto)
      declared[status.replace(/xx$/i, 'XX')] ??= {
        description: '',
        ...(isSchema ? { schema: dto } : type),
      }
    }
    Reflect.defineMetadata(responsesKey, declared, extended[key])
  }
  return extended as M
}

function extend(key: string, newer: Type, read: () => Reading): Type {
  if (typeof newer !== 'function')
    throw new Error(`before(): '${key}' isn't a class. Pass Nest's controller classes.`)
  const metatype = { [newer.name]: class extends newer {} }[newer.name]!
  const value: Derivation = { metatype, newer, read }
  return Object.defineProperty(metatype, kDerivation, { value })
}

/** Undoes changes, and gives the classes of the older version its decorators. */
function readVersion(
  newer: Classes,
  older: Classes,
  changes: readonly Change[],
): ReadonlyMap<string, Reading> {
  const undone = changes.map(({ about, became }) => ({ about, became: became.map(readStep) }))
  const steps = undone.flatMap(({ became }) => became)
  const actionsByKey = new Map(
    Object.entries(newer).map(([key, metatype]) => [key, readActions(metatype)]),
  )
  const olderControllers = undo(newer, actionsByKey, undone)
  const version = new Map<string, Reading>()
  for (const [key, actions] of actionsByKey) {
    const problems = new Map<string, string>()
    const olderActions = new Map<string, SchemaAction>()
    for (const [name, action] of actions) {
      const metatype = newer[key]!
      const olderAction = olderControllers[key]![name]!
      olderActions.set(name, olderAction)
      let problem = describeUnknown(`${key}.${name}`, action, steps)
      if (olderAction !== action) {
        problem ??= describeInconvertible(metatype, name, olderAction)
        declareOlder(older[key]!, name, action.schema!, olderAction)
      }
      if (problem !== undefined) problems.set(name, `${metatype.name}.${name}() ${problem}`)
    }
    version.set(key, { actions: olderActions, problems })
  }
  return version
}

/** Reads the DTOs of a step. */
function readStep(step: Step): Step {
  if (!('newer' in step)) return step
  const { newer: dto, down } = step
  const [older, newer] = [step.older, dto].map((type) => schemaOf(type, 'became() has no type'))
  const problem = [older!, newer!].map(describeUnreadable).find((text) => text !== undefined)
  const recursive = [newer as object, ...partsOf(newer!)].find((part) =>
    partsOf(part).has(part as never),
  )
  if (recursive !== undefined || problem !== undefined) {
    const name = baseOf(recursive ?? {})?.name ?? 'a schema'
    throw new Error(`before(): ${problem ?? `${name} contains itself. Write a controller`}.`)
  }
  if (down === undefined || baseOf(newer!) === undefined)
    return { ...step, older: older!, newer: newer! }
  const names = Object.keys((newer as { readonly properties: object }).properties)
  const convert = (value: unknown): unknown => {
    const isObject = typeof value === 'object' && value !== null
    if (!isObject || names.length === 0 || names.some((name) => name in value)) return down(value)
    // The properties that `down` reads would all be undefined.
    throw new Error(
      `A response should be ${(dto as Type).name}, but has only ${Object.keys(value).join(', ')}. ` +
        'If an interceptor wraps it, declare what it returns with @ApiResponse().',
    )
  }
  return { ...step, older: older!, newer: newer!, down: convert }
}

/** Returns the older actions. An error names the class and its method. */
function undo(
  newer: Classes,
  actions: ReadonlyMap<string, Actions>,
  changes: readonly Change[],
): Readonly<Record<string, Readonly<Record<string, SchemaAction>>>> {
  const controllers = [...actions].map(([key, ofKey]) => [key, Object.fromEntries(ofKey)] as const)
  try {
    return beforeActions(Object.fromEntries(controllers), ...changes) as never
  } catch (error) {
    if (!(error instanceof RouterError) || error.code !== 'HV_CHANGE') throw error
    const { where } = error.details
    const [key, name] = where?.split('.') ?? []
    const place = key === undefined ? null : `${newer[key]!.name}.${name}()`
    throw new RouterError('HV_CHANGE', { ...error.details, where: place }, { cause: error })
  }
}

/** Reads the methods that could be actions. */
function readActions(metatype: Type): Actions {
  const derivation = derivationOf(metatype)
  const derived = derivation?.read().actions
  const actions = new Map<string, SchemaAction>()
  const { prototype } = metatype
  for (const name of new MetadataScanner().getAllMethodNames(prototype as object)) {
    const isDerived = prototype[name] === derivation?.metatype.prototype[name]
    actions.set(name, (isDerived && derived?.get(name)) || readAction(metatype, name))
  }
  return actions
}

/** Says what isn't known of an action. If a change is in there, nobody would notice it. */
function describeUnknown(
  where: string,
  { handler, schema = {} }: SchemaAction,
  steps: readonly Step[],
): string | undefined {
  const { body, querystring, params, response = {} } = schema
  const applied = steps
    .filter((step) => 'newer' in step)
    .filter(({ only }) => only?.includes(where) !== false)
  const requests = applied.some(({ up }) => up) ? [body, querystring, params] : []
  const responses = applied.some(({ down }) => down) ? Object.values(response) : []
  const isSent =
    !Reflect.hasMetadata(SSE_METADATA, handler) &&
    Reflect.getMetadata(HTTP_CODE_METADATA, handler) !== 204
  if (applied.some(({ down }) => down) && isSent && !Object.keys(response).some(isSuccess))
    return (
      "doesn't say what it returns. Add @ApiOkResponse({ type: … }), or @ApiOkResponse() if " +
      'nothing in it changed'
    )

  const changed = applied.map(({ newer }) => newer)
  for (const part of [...requests, ...responses].filter((schema) => schema !== undefined)) {
    const unreadable = describeUnreadable(part)
    if (unreadable !== undefined) return `can't be converted: ${unreadable}`
    const schemas = [part as object, ...partsOf(part)].filter((schema) => !changed.includes(schema))
    for (const newer of changed) {
      const base = baseOf(newer)
      if (base === undefined) continue
      const subclass = schemas.map(baseOf).find((dto) => dto?.prototype instanceof base)
      if (subclass !== undefined)
        return `has ${subclass.name}, which extends ${base.name}. Declare what ${subclass.name} became`
      if (hasPartial(part, newer)) return `has a partial of ${base.name}. Declare what it became`
    }
  }
  return undefined
}

/** The class in a module that serves a controller's actions. */
export function servingClass(metatype: Type, isListed: (metatype: Type) => boolean): Type {
  const derivation = derivationOf(metatype)
  if (derivation?.metatype !== metatype || isListed(metatype)) return metatype
  return servingClass(derivation.newer, isListed)
}

/** Reads the DTOs of a class that `before` made, so it has the decorators of the older version. */
export const readDerived = (metatype: Type): void => void derivationOf(metatype)?.read()

/**
 * Returns an action that `before` derived. Undefined for one that no change touches, and for one
 * that a class of the app overrides.
 *
 * @throws Error if it isn't known what the action takes or returns
 */
export function olderActionOf(metatype: Type, row: Row): SchemaAction | undefined {
  const derivation = derivationOf(metatype)
  if (derivation === undefined) return undefined
  const { actions, problems } = derivation.read()
  const { prototype } = derivation.metatype
  if (metatype.prototype[row.action] !== prototype[row.action]) return undefined
  const problem = problems.get(row.action)
  if (problem !== undefined) throw new Error(`before(): ${problem}.`)
  const action = actions.get(row.action)
  if (action === undefined || historyOf(action).length === 0) return undefined
  if (translationOf(action).respond !== null) assertStatus(derivation.newer, row, action.handler)
  return action
}

/** A body with a status that nobody declared wouldn't be converted. */
function assertStatus(newer: Type, { action, method }: Row, handler: object): void {
  const code =
    (Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined) ??
    (method === 'POST' ? 201 : 200)
  let newest = newer
  for (let at = derivationOf(newest); at; at = derivationOf(newest)) newest = at.newer
  const declared = Object.keys(declaredResponses(newest, action)).filter(isSuccess)
  if (code === 204 || declared.some((status) => [`${code}`, '2XX', 'default'].includes(status)))
    return
  throw new Error(
    `before(): ${newest.name}.${action}() responds with ${code}, but declares what ` +
      `${declared.join(' and ')} returns. Declare ${code}.`,
  )
}
