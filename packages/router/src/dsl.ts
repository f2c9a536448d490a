// The words of a route file. Each returns plain data whose type says what was written; nothing here
// registers anything. `infer.ts` reads the types, `table.ts` reads the data.
import type { Action } from './actions.ts'
import type { Constraints } from './constraints.ts'

// ---- options ---------------------------------------------------------------------------

export type OneOrMany<T> = T | readonly T[]

/** `only` keeps the named ones, `except` all the others. Both together are an error. */
export interface Selection<Name> {
  readonly only?: OneOrMany<Name>
  readonly except?: OneOrMany<Name>
}

/** What a scope (`api`, `version`, `namespace`) sets for all that is declared in it. */
export interface ScopeOptions extends Selection<Action> {
  /** A pattern per param, for the whole decoded value: `{ id: /\d+/ }`. Nearer ones win, param by param. */
  readonly constraints?: Constraints
  readonly shallow?: boolean
}

export interface NamespaceOptions extends ScopeOptions {
  /** Path segment; the name unless told otherwise, `''` for none. */
  readonly path?: string
  /** Prefix of the route names; the name unless told otherwise. */
  readonly as?: string
}

export interface ResourcesOptions extends NamespaceOptions {
  /** Controller path inside the version: `'admin/users'`. */
  readonly controller?: string
  /** Name of the member's param, `id` unless told otherwise. */
  readonly param?: string
  /** The singular where English is not regular; names the param of nested routes. */
  readonly singular?: string
  /** Adds a PATCH route beside PUT. */
  readonly patch?: boolean
}

export interface VerbOptions {
  readonly constraints?: Constraints
  /** An action of the surrounding resource, or `controller#action`. */
  readonly to?: string
  /** Name of the route. */
  readonly as?: string
}

// ---- nodes -----------------------------------------------------------------------------

/** `Body` is the union of the nodes inside: a union distributes, a tuple would have to be peeled. */
export interface Node<Kind extends string = string, Name = unknown, Options = unknown, Body = unknown> {
  readonly kind: Kind
  readonly name: Name
  readonly options: Options
  readonly nodes: readonly Body[]
}
export interface Resources<Name = string, O = unknown, Body = unknown> extends Node<'resources', Name, O, Body> {}
export interface Resource<Name = string, O = unknown, Body = unknown> extends Node<'resource', Name, O, Body> {}
export interface Namespace<Name = string, O = unknown, Body = unknown> extends Node<'namespace', Name, O, Body> {}
export interface Cache<As = string, Body = unknown> extends Node<'cache', As, {}, Body> {}
export interface Inherit<From = string, Only = string, Except = string> extends Node<
  'inherit',
  From,
  [Only, Except],
  never
> {}
export interface Extra<On = 'member' | 'collection', Body = unknown> extends Node<'extra', On, {}, Body> {}
export interface Verb<Path = string, O = unknown> extends Node<'verb', Path, O, never> {
  readonly method: string
}
export interface Version<N = number, O = unknown, Body = unknown> extends Node<'version', N, O, Body> {}

type Block = Resources | Resource | Namespace
/** What may stand in a version, a cache or a namespace. */
export type Statement = Block | Cache | Inherit | Verb<string, { readonly to: string }>
/** What may stand in a resource. */
export type Inner = Block | Extra

// ---- words -----------------------------------------------------------------------------
// The options may be left out: a first argument with a `kind` is already a node.

type OptionsIn<O> = O extends Node ? {} : O
interface NoSuchOption {
  readonly '~': never
}
type Known<O, Options> = O extends Node ? unknown : { [K in Exclude<keyof O, keyof Options>]: NoSuchOption }

const node = (kind: string, name: unknown, first: unknown = {}, rest: readonly unknown[] = []): never =>
  (isNode(first)
    ? { kind, name, options: {}, nodes: [first, ...rest] }
    : { kind, name, options: first, nodes: rest }) as never

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Node>).kind === 'string'

export const many = <T>(value: OneOrMany<T>): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [value as T]

/**
 * The seven routes of a plural resource: `index create new edit show update destroy`.
 * `only` and `except` choose among them; further arguments nest in the resource.
 *
 * @example resources('users', { except: ['new', 'edit'] }, resources('posts'))
 */
export const resources = <
  const Name extends string,
  const O extends ResourcesOptions | Inner = {},
  const Body extends readonly Inner[] = [],
>(
  name: Name,
  options?: O & Known<O, ResourcesOptions>,
  ...nodes: Body
): Resources<Name, OptionsIn<O>, Extract<O, Node> | Body[number]> => node('resources', name, options, nodes)

/**
 * A resource that a client has one of: no `index`, no `:id`, a plural controller (`profile` → `profiles`).
 *
 * @example resource('profile', { only: ['show', 'update'] })
 */
export const resource = <
  const Name extends string,
  const O extends ResourcesOptions | Inner = {},
  const Body extends readonly Inner[] = [],
>(
  name: Name,
  options?: O & Known<O, ResourcesOptions>,
  ...nodes: Body
): Resource<Name, OptionsIn<O>, Extract<O, Node> | Body[number]> => node('resource', name, options, nodes)

/**
 * A path segment, a controller folder and a name prefix around its nodes.
 *
 * @example namespace('admin', resources('users')) // /api/admin/users → api/v1/admin/users
 */
export const namespace = <
  const Name extends string,
  const O extends NamespaceOptions | Statement = {},
  const Body extends readonly Statement[] = [],
>(
  name: Name,
  options?: O & Known<O, NamespaceOptions>,
  ...nodes: Body
): Namespace<Name, OptionsIn<O>, Extract<O, Node> | Body[number]> => node('namespace', name, options, nodes)

/**
 * What version `number` of the API serves. A number declared twice is one version.
 *
 * @param number a whole number of 1 or more
 * @example version(2, inherit({ from: 'v1' }), resources('teams'))
 */
export const version = <
  const N extends number,
  const O extends ScopeOptions | Statement = {},
  const Body extends readonly Statement[] = [],
>(
  number: N,
  options?: O & Known<O, ScopeOptions>,
  ...nodes: Body
): Version<N, OptionsIn<O>, Extract<O, Node> | Body[number]> => node('version', number, options, nodes)

/**
 * Declares its nodes here **and** keeps them under a name, for `inherit` below it.
 *
 * @example cache({ as: 'v1' }, resources('users'))
 */
export const cache = <const As extends string, const Body extends readonly Statement[]>(
  options: { readonly as: As },
  ...nodes: Body
): Cache<As, Body[number]> => {
  const { as, ...rest } = options ?? {}
  return node('cache', as, rest, nodes) // what else was given is refused by api()
}

/**
 * Repeats the nodes of a cache in this version, mapped to **this** version's controllers.
 *
 * `from` takes one or several names, or the caches themselves when they are kept in a `const`;
 * `only` and `except` name nodes that stand directly in the cache.
 *
 * @example inherit({ from: 'v1', except: 'sessions' })
 */
export const inherit = <
  const From extends string | Cache,
  const Only extends string = string,
  const Except extends string = never,
>(options: {
  readonly from: OneOrMany<From>
  readonly only?: OneOrMany<Only>
  readonly except?: OneOrMany<Except>
}): Inherit<From extends Node<'cache', infer As> ? As : From, Only, Except> => {
  const { from, ...selection } = options ?? {}
  return node(
    'inherit',
    many(from).map((one: string | Cache) => (isNode(one) ? one.name : one)),
    selection,
  )
}

/** Extra routes of each member: `member(get('preview'))` is GET `/photos/:id/preview`. */
export const member = <const Body extends readonly Verb[]>(...verbs: Body): Extra<'member', Body[number]> =>
  node('extra', 'member', {}, verbs)

/** Extra routes of the collection: `collection(get('search'))` is GET `/photos/search`. */
export const collection = <const Body extends readonly Verb[]>(...verbs: Body): Extra<'collection', Body[number]> =>
  node('extra', 'collection', {}, verbs)

const verb =
  (method: string) =>
  <const Path extends string, const O extends VerbOptions = {}>(path: Path, options?: O): Verb<Path, O> =>
    ({ kind: 'verb', name: path, method, options: options ?? {}, nodes: [] }) as never

/** One GET route. In a version it says what it calls: `get('health', { to: 'health#show' })`. */
export const get = /* @__PURE__ */ verb('GET')
/** One POST route; see `get`. */
export const post = /* @__PURE__ */ verb('POST')
/** One PUT route; see `get`. */
export const put = /* @__PURE__ */ verb('PUT')
/** One PATCH route; see `get`. */
export const patch = /* @__PURE__ */ verb('PATCH')
/** One DELETE route; see `get`. */
export const del = /* @__PURE__ */ verb('DELETE')
