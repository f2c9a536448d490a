import { type ActionSchema, type Change, RouterError, type Row, type Step } from '@hv/router'
import { before as beforeActions } from '@hv/router/adapter'
import { mapValues } from '@hv/router/internal'
import type { Type } from '@nestjs/common'
import { MetadataScanner } from '@nestjs/core'
import {
  type MethodAction,
  describeInconvertible,
  readAction,
  responsesKey,
} from './action-schema.ts'
import { isDtoSchema, partsOf, schemaOf } from './dto-schema.ts'
import { lazyEvent } from './event.ts'
import { HTTP_CODE_METADATA, SSE_METADATA } from './internals.ts'
import type { EventController, OlderControllers } from './types.ts'

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

/** A version's controller classes, and objects of events. */
type Controllers = Readonly<Record<string, Type | EventController>>

/** An older version's actions, and the steps that were undone to derive them. */
interface Reading {
  /** By controller key. */
  readonly actions: Readonly<Record<string, Record<string, MethodAction>>>
  readonly steps: readonly SchemaStep[]
}
type SchemaStep = Extract<Step, { newer: unknown }>

/** How a class was derived. The class itself isn't in any module. */
interface Derivation {
  readonly key: string
  /** The class that serves its actions. It may be derived as well. */
  readonly newer: Type
  /** Reads the DTOs on the first call. Null if only responses were added. */
  readonly read: (() => Reading) | null
}
const kDerivation = Symbol.for('@hv/router-nest.derivation')
/** How a class was derived, or the nearest class that it extends. */
const derivationOf = (metatype: Type): Derivation | undefined => (metatype as any)[kDerivation]

function derive(key: string, newer: Type, read: Derivation['read']): Type {
  const metatype = { [newer.name]: class extends newer {} }[newer.name]!
  return Object.defineProperty(metatype, kDerivation, { value: { key, newer, read } })
}

/**
 * Derives a version's controllers from those of the next version and what changed. If there are
 * several changes, list them in the order in which you made them.
 *
 * Only list the newer classes in modules: their instances serve the older actions. If an action
 * needs a method of its own, extend the class that this returns, write that method, and list your
 * class in a module.
 *
 * DTOs are read when the app starts or a document is made, so that's when a change that doesn't
 * apply is an error.
 *
 * @example
 * const v2 = { users: UsersV2 }
 * const v1 = before(v2, change('A name is in two fields.', became(UserV1, User, { down, up })))
 * VersionedApiModule.forRoot(routes, { 1: v1, 2: v2 })
 */
export function before<M extends Controllers, const C extends readonly Change[]>(
  newer: M,
  ...changes: C
): OlderControllers<M, C> {
  let reading: Reading | undefined
  const read = () => (reading ??= readVersion(newer, changes))
  return mapValues(newer, (controller, key) =>
    isClass(controller) ? derive(key, controller, read) : deriveEvents(key, controller, read),
  ) as never
}

function deriveEvents(key: string, events: object, read: () => Reading): EventController {
  return mapValues(Object(events) as EventController, (event, name) => {
    if (!event.event)
      throw new Error(
        `${key} has to be a controller class, such as UsersController, or an object of events.`,
      )
    return lazyEvent(event.handler, () => olderEventOf(read(), key, name))
  })
}

/** @throws Error for a payload whose DTOs can't be converted */
function olderEventOf(reading: Reading, key: string, name: string): MethodAction {
  const action = reading.actions[key]![name]!
  const problem = describeParts(action.schema!, stepsFor(reading, `${key}.${name}`))
  if (problem !== undefined) throw new Error(`${key}.${name} ${problem}.`)
  return action
}

const isClass = (controller: unknown): controller is Type => typeof controller === 'function'
/** The steps that may change an action, such as `users.index`. */
const stepsFor = ({ steps }: Reading, where: string): readonly SchemaStep[] =>
  steps.filter(({ only }) => only?.includes(where) !== false)

/**
 * Adds responses to those that every action declares, such as the errors that a filter sends. Only
 * list the classes that you pass in modules. Pass what it returns to {@link before}.
 *
 * @param responses - DTO classes by status
 * @example const v2 = withResponses({ users: UsersV2 }, { '4xx': Failure })
 */
export function withResponses<M extends Controllers>(
  controllers: M,
  responses: Readonly<Record<string | number, Type>>,
): M {
  const shared: Record<string, object> = {}
  for (const [status, type] of Object.entries(responses))
    shared[status.replace(/xx$/, 'XX')] = { type, description: '' }
  return mapValues(controllers, (controller, key) => {
    if (!isClass(controller)) return controller
    const copy = derive(key, controller, null)
    const declared = { ...shared, ...Reflect.getMetadata(responsesKey, controller) }
    Reflect.defineMetadata(responsesKey, declared, copy)
    return copy
  }) as M
}

/** Reads a version's DTOs, and undoes changes. */
function readVersion(newer: Controllers, changes: readonly Change[]): Reading {
  const undone = changes.map(({ about, became }) => ({ about, became: became.map(readStep) }))
  const actions: Record<string, object> = {}
  for (const [key, controller] of Object.entries(newer))
    actions[key] = isClass(controller) ? readActions(controller) : controller
  const steps = undone.flatMap(({ became }) => became).filter((step) => 'newer' in step)
  try {
    return { actions: beforeActions(actions, ...undone) as Reading['actions'], steps }
  } catch (error) {
    if (!(error instanceof RouterError) || error.code !== 'HV_CHANGE') throw error
    const where = error.details.where?.replace(/^([^.]+)\.(.+)/, (place, key, name) => {
      const controller = newer[key]
      return isClass(controller) ? `${controller.name}.${name}()` : place
    })
    throw new RouterError('HV_CHANGE', { ...error.details, where: where ?? null })
  }
}

function readActions(metatype: Type): object {
  const names = new MetadataScanner().getAllMethodNames(metatype.prototype)
  return Object.fromEntries(
    names.map((name) => [name, olderActionOf(metatype, name) ?? readAction(metatype, name)]),
  )
}

/** Reads a step's DTOs. */
function readStep(step: Step): Step {
  if (!('newer' in step)) return step
  const problem = 'became() needs DTO classes'
  const newer = schemaOf(step.newer, problem)
  const read = { ...step, older: schemaOf(step.older, problem), newer }
  if (!isDtoSchema(newer)) return read
  const { $comment: dto, properties, required } = newer
  if (Object.values(properties).some((property) => partsOf(property).includes(newer as never)))
    throw new Error(
      `before(): ${dto.name} contains itself. Leave it out, and write the actions that have it.`,
    )
  const { down } = step
  if (!down) return read
  const convert = (value: unknown) => {
    if (required.length === 0 || required.some((name) => name in Object(value))) return down(value)
    // Otherwise, all properties that `down` reads would be undefined.
    throw new Error(
      `A response or a payload should be ${dto.name}, but has none of its properties. If an ` +
        'interceptor wraps it, declare what that returns with @ApiResponse().',
    )
  }
  return { ...read, down: convert }
}

/** The class that serves a controller's actions, which is in a module. */
export function servingClass(metatype: Type, listed: ReadonlyMap<unknown, unknown>): Type {
  if (!Object.hasOwn(metatype, kDerivation) || listed.has(metatype)) return metatype
  return servingClass(derivationOf(metatype)!.newer, listed)
}

/** Returns an action that `before` derived. Undefined for one that a class of the app overrides. */
export function olderActionOf(metatype: Type, name: string): MethodAction | undefined {
  const derivation = derivationOf(metatype)
  const action = derivation?.read?.().actions[derivation.key]![name]
  return metatype.prototype[name] === derivation?.newer.prototype[name] ? action : undefined
}

/** Says why a row's derived action can't be served, or what isn't known about it. */
export function describeProblem(
  metatype: Type,
  row: Row,
  action: MethodAction,
): string | undefined {
  const { key, newer, read } = derivationOf(metatype)!
  const applied = stepsFor(read!(), `${key}.${row.action}`)
  const problem =
    describeUnknown(action, applied, row) ?? describeInconvertible(newer, row.action, action)
  return problem && `${newer.name}.${row.action}() ${problem}.`
}

/**
 * Says which of an action's types aren't known, because a change in one of them would go unnoticed.
 */
function describeUnknown(
  action: MethodAction,
  steps: readonly SchemaStep[],
  { method }: Row,
): string | undefined {
  const { handler, schema, newest } = action
  const hasDown = steps.some(({ down }) => down)
  const status = Reflect.getMetadata(HTTP_CODE_METADATA, handler) ?? (method === 'POST' ? 201 : 200)
  const isDeclared = [`${status}`, '2XX', 'default'].some((name) => name in newest.response!)
  if (hasDown && !isDeclared && status !== 204 && !Reflect.hasMetadata(SSE_METADATA, handler))
    return (
      `doesn't say what it returns with ${status}. Add @ApiResponse({ status: ${status}, ` +
      'type: … }), or schema: {} if nothing in it changed'
    )

  return describeParts(schema!, steps)
}

/** Says which parts of a schema can't be read, or are made of one that a step changed. */
function describeParts(
  { body, querystring, params, response = {} }: ActionSchema,
  steps: readonly SchemaStep[],
): string | undefined {
  const schemas: unknown[] = []
  if (steps.some(({ up }) => up)) schemas.push(body, querystring, params)
  if (steps.some(({ down }) => down)) schemas.push(...Object.values(response))
  const parts = schemas.flatMap(partsOf)
  for (const part of parts)
    if (part['$comment'] instanceof Error) return `can't be converted: ${part['$comment'].message}`
  for (const { older, newer } of steps) {
    const dto = isDtoSchema(newer) ? newer.$comment : Function
    const olderParts = partsOf(older)
    for (const part of parts)
      if (isDtoSchema(part) && part.$comment.prototype instanceof dto && !olderParts.includes(part))
        return `has ${part.$comment.name}, made of ${dto.name}. Declare what it became`
  }
  return undefined
}
