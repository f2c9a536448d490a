import { type Change, RouterError, type Row, type Step } from '@hv/router'
import { type SchemaAction, before as beforeActions } from '@hv/router/adapter'
import { hasPartial, historyOf } from '@hv/router/internal'
import type { Type } from '@nestjs/common'
import { MetadataScanner } from '@nestjs/core'
import { declareOlder, describeInconvertible, readAction, responsesKey } from './action-schema.ts'
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
/** Controller key → action. */
type Actions = Readonly<Record<string, Readonly<Record<string, SchemaAction>>>>

/** Two versions' actions, and what changed from one to the other. */
interface Reading {
  readonly newer: Actions
  readonly older: Actions
  readonly steps: readonly Step[]
}

/** What a class that isn't in a module stands for. */
interface Derivation {
  readonly key: string
  readonly metatype: Type
  /** The class that serves its actions. It may be derived as well. */
  readonly newer: Type
  /** Reads the DTOs on the first call. Null if only responses were added. */
  readonly read: (() => Reading) | null
}
const kDerivation = Symbol.for('@hv/router-nest.derivation')
/** How a class was derived, or the nearest class that it extends. */
const derivationOf = (metatype: Type): Derivation | undefined =>
  (metatype as { readonly [kDerivation]?: Derivation })[kDerivation]

function derive(key: string, newer: Type, read: Derivation['read']): Type {
  if (typeof newer !== 'function')
    throw new Error(`'${key}' isn't a controller class, but ${String(newer)}.`)
  const metatype = { [newer.name]: class extends newer {} }[newer.name]!
  const value: Derivation = { key, metatype, newer, read }
  return Object.defineProperty(metatype, kDerivation, { value })
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
export function before<M extends Classes>(
  newer: M,
  ...changes: readonly Change[]
): OlderControllers<M> {
  let reading: Reading | undefined
  const read = () => (reading ??= readVersions(newer, older, changes))
  const older: Record<string, Type> = {}
  for (const [key, metatype] of Object.entries(newer)) older[key] = derive(key, metatype, read)
  return older as never
}

/**
 * Adds responses to those that every action declares, such as the errors that a filter sends. Only
 * list the classes that you pass in modules. Pass what it returns to {@link before}.
 *
 * @param responses - DTO classes by status
 * @example const v2 = withResponses({ users: UsersV2 }, { '4xx': Failure })
 */
export function withResponses<M extends Classes>(
  controllers: M,
  responses: Readonly<Record<string | number, Type>>,
): M {
  const copies: Record<string, Type> = {}
  for (const [key, metatype] of Object.entries(controllers)) {
    const declared: Record<string, object> = {}
    for (const [status, type] of Object.entries(responses))
      declared[status.replace(/xx$/, 'XX')] = { type, description: '' }
    copies[key] = derive(key, metatype, null)
    const ofClass = Reflect.getMetadata(responsesKey, metatype) as object | undefined
    Reflect.defineMetadata(responsesKey, { ...declared, ...ofClass }, copies[key])
  }
  return copies as M
}

/** Undoes changes, and gives the classes of the older version its decorators. */
function readVersions(newer: Classes, older: Classes, changes: readonly Change[]): Reading {
  const undone = changes.map(({ about, became }) => ({ about, became: became.map(readStep) }))
  const actions: Record<string, Actions[string]> = {}
  for (const [key, metatype] of Object.entries(newer)) actions[key] = readActions(metatype)
  let olderActions: Actions
  try {
    olderActions = beforeActions(actions, ...undone) as Actions
  } catch (error) {
    if (!(error instanceof RouterError) || error.code !== 'HV_CHANGE') throw error
    const where = error.details.where?.replace(/^[^.]+/, (key) => newer[key]!.name).concat('()')
    throw new RouterError('HV_CHANGE', { ...error.details, where: where ?? null })
  }
  for (const [key, ofKey] of Object.entries(olderActions))
    for (const [name, action] of Object.entries(ofKey)) {
      const newerAction = actions[key]![name]!
      if (action !== newerAction) declareOlder(older[key]!, name, newerAction, action)
    }
  return { newer: actions, older: olderActions, steps: undone.flatMap(({ became }) => became) }
}

/** Reads a step's DTOs. */
function readStep(step: Step): Step {
  if (!('newer' in step)) return step
  const older = schemaOf(step.older)
  const newer = schemaOf(step.newer)
  const recursive = [newer, ...partsOf(newer)].find((part) => partsOf(part).has(part as never))
  if (recursive !== undefined)
    throw new Error(`before(): ${baseOf(recursive)?.name} contains itself. Write a controller.`)
  const { down } = step
  const name = baseOf(newer)?.name
  if (down === undefined || name === undefined) return { ...step, older, newer }
  const properties = Object.keys((newer as { readonly properties: object }).properties)
  const convert = (value: unknown): unknown => {
    if (typeof value !== 'object' || properties.some((property) => property in Object(value)))
      return down(value)
    // All properties that `down` reads would be undefined.
    throw new Error(
      `A response should be ${name}, but has none of its properties. If an interceptor wraps it, ` +
        'declare what that returns with @ApiResponse().',
    )
  }
  return { ...step, older, newer, down: convert }
}

/** Reads the methods that could be actions. */
function readActions(metatype: Type): Actions[string] {
  const derivation = derivationOf(metatype)
  const derived = derivation?.read?.().older[derivation.key]
  const actions: Record<string, SchemaAction> = {}
  for (const name of new MetadataScanner().getAllMethodNames(metatype.prototype as object)) {
    const isDerived = metatype.prototype[name] === derivation?.metatype.prototype[name]
    actions[name] = (isDerived && derived?.[name]) || readAction(metatype, name)
  }
  return actions
}

/** The class that serves a controller's actions, which is in a module. */
export function servingClass(metatype: Type, isListed: (metatype: Type) => boolean): Type {
  const derivation = derivationOf(metatype)
  if (derivation?.metatype !== metatype || isListed(metatype)) return metatype
  return servingClass(derivation.newer, isListed)
}

/** Makes sure that a class has the decorators of its version. */
export const readDerived = (metatype: Type): void => void derivationOf(metatype)?.read?.()

/**
 * Returns an action that `before` derived. Undefined for one that no change touches, and for one
 * that a class of the app overrides.
 *
 * @throws Error if it isn't known what the action takes or returns
 */
export function olderActionOf(metatype: Type, row: Row): SchemaAction | undefined {
  const derivation = derivationOf(metatype)
  if (!derivation?.read) return undefined
  const { newer, older, steps } = derivation.read()
  const name = row.action
  if (metatype.prototype[name] !== derivation.metatype.prototype[name]) return undefined
  const newerAction = newer[derivation.key]![name]
  const action = older[derivation.key]![name]
  if (newerAction === undefined || action === undefined) return undefined
  const applied = steps
    .filter((step) => 'newer' in step)
    .filter(({ only }) => only?.includes(`${derivation.key}.${name}`) !== false)
  const problem =
    describeUnknown(newerAction, applied, row) ??
    describeInconvertible(derivation.newer, name, action)
  if (problem !== undefined)
    throw new Error(`before(): ${derivation.newer.name}.${name}() ${problem}.`)
  return historyOf(action).length === 0 ? undefined : action
}

/** Says what isn't known of an action. If a change is in there, nobody would notice it. */
function describeUnknown(
  newerAction: SchemaAction,
  steps: readonly Extract<Step, { newer: unknown }>[],
  { method }: Row,
): string | undefined {
  const { handler, schema = {} } = newerAction
  const { body, querystring, params, response = {} } = schema
  const hasDown = steps.some(({ down }) => down)
  const status: unknown =
    Reflect.getMetadata(HTTP_CODE_METADATA, handler) ?? (method === 'POST' ? 201 : 200)
  // The statuses of a derived action are older ones. Its own version has checked them.
  const isDeclared =
    historyOf(newerAction).length > 0 ||
    [`${status}`, '2XX', 'default'].some((key) => key in response)
  if (hasDown && !isDeclared && status !== 204 && !Reflect.hasMetadata(SSE_METADATA, handler))
    return (
      `doesn't say what it returns with ${status}. Add @ApiResponse({ status: ${status}, ` +
      'type: … }), without type if nothing in it changed'
    )

  const hasUp = steps.some(({ up }) => up)
  const parts = [
    ...(hasUp ? [body, querystring, params] : []),
    ...(hasDown ? Object.values(response) : []),
  ].filter((part) => part !== undefined)
  const unreadable = [...parts, ...steps.map(({ older }) => older)]
    .map(describeUnreadable)
    .find((problem) => problem !== undefined)
  if (unreadable !== undefined) return `can't be converted: ${unreadable}`
  const changed = steps.map(({ newer }) => newer)
  for (const part of parts) {
    const schemas = [part, ...partsOf(part)].filter((inner) => !changed.includes(inner))
    for (const newer of changed) {
      const base = baseOf(newer)
      if (base === undefined) continue
      const subclass = schemas.map(baseOf).find((dto) => dto?.prototype instanceof base)
      if (subclass !== undefined || hasPartial(part, newer))
        return `has ${subclass?.name ?? 'a partial'}, made of ${base.name}. Declare what it became`
    }
  }
  return undefined
}
