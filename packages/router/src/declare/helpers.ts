// A route file's helpers. Each returns a node, whose type records what was written. They don't
// register anything.
import type { LifeOptions } from './life.ts'
import {
  type Blocks,
  type Cache,
  type Extra,
  type Inherit,
  type Inner,
  type Node,
  type Scope,
  type Statement,
  type Verb,
  frozen,
  isNode,
} from './nodes.ts'
import {
  type NamespaceOptions,
  type OneOrMany,
  type ResourcesOptions,
  type ScopeOptions,
  type Selection,
  type VerbOptions,
  type VersionOptions,
  toList,
} from './options.ts'
import type { PathsOf } from './options-of.ts'

/** The options that change the types. */
type TypedOption =
  | 'only'
  | 'except'
  | 'shallow'
  | 'as'
  | 'controller'
  | 'param'
  | 'singular'
  | 'to'
  | 'module'
/**
 * The options, or `{}` if they don't change the types: TypeScript computes equal node types once.
 */
type OptionsOf<Options> = [Extract<keyof Options, TypedOption>] extends [never] ? {} : Options
/**
 * The options in a helper's second argument, which may also be the first child node, or missing.
 */
type OptionsIn<Argument> = [Argument] extends [never]
  ? {}
  : Argument extends Node
    ? {}
    : OptionsOf<Argument>
/** A path only changes a scope's types if it has parameters. */
type ScopeTypes<Options> = Options extends { readonly path: `${string}:${string}` }
  ? Options
  : OptionsOf<Options>
interface NoSuchOption {
  readonly '~': never
}
/** Rejects options that the helper doesn't have. */
type KnownOptions<Argument, Keys> = keyof Argument extends Keys
  ? unknown
  : Argument extends Node
    ? unknown
    : { [Key in Exclude<keyof Argument, Keys>]: NoSuchOption }

/**
 * Creates a helper's node. It returns `never`, so that this is the only cast between the helpers'
 * exact types and plain data.
 */
const createNode = (
  kind: string,
  name: unknown,
  options: unknown = {},
  nodes: readonly unknown[] = [],
): never =>
  Object.freeze({ kind, name, options: frozen(options), nodes: Object.freeze([...nodes]) }) as never

const createBlock =
  <
    Kind extends keyof Blocks<unknown, unknown, unknown>,
    AnyName,
    AllOptions,
    Child,
    Keys = keyof AllOptions,
  >(
    kind: Kind,
  ): (<
    const Name extends AnyName,
    const Options extends AllOptions | Child = never,
    const Body extends readonly Child[] = [],
  >(
    name: Name,
    options?: Options & KnownOptions<Options, Keys>,
    ...nodes: Body
  ) => Blocks<Name, OptionsIn<Options>, Extract<Options, Node> | Body[number]>[Kind]) =>
  (name: AnyName, ...rest: readonly unknown[]) => {
    const [options, ...nodes] = rest
    // Nobody leaves a version empty on purpose, so in `version(1, undefined)`, it's a node that's
    // missing.
    const isMissing = kind === 'version' && rest.length === 1 && options === undefined
    return isNode(options) || isMissing
      ? createNode(kind, name, {}, rest)
      : createNode(kind, name, options, nodes)
  }

/**
 * Declares a plural resource with Rails' seven routes: `index create new edit show update destroy`.
 *
 * @param name - its path segment and controller key. The routes are named after it
 * @param options - {@link ResourcesOptions}, or the first child node
 * @param nodes - nested resources and namespaces, `member` and `collection`
 * @example resources('users', { except: ['new', 'edit'] }, resources('posts'))
 */
export const resources = /* @__PURE__ */ createBlock<'resources', string, ResourcesOptions, Inner>(
  'resources',
)

/**
 * Declares a singular resource, such as the current user's profile. It has no `index` and no `:id`,
 * and its controller is in the plural.
 *
 * @param name - its path segment. The plural is the controller key
 * @param options - {@link ResourcesOptions}, or the first child node
 * @param nodes - nested resources and namespaces, `member` and `collection`
 * @example resource('profile', { only: ['show', 'update'] }) // controller `profiles`
 */
export const resource = /* @__PURE__ */ createBlock<'resource', string, ResourcesOptions, Inner>(
  'resource',
)

/**
 * Puts its nodes under a path segment and into a controller folder, and prefixes their routes'
 * names.
 *
 * @param options - {@link NamespaceOptions}, or the first child node
 * @example namespace('admin', resources('users')) // /api/admin/users, controller `admin/users`
 */
export const namespace = /* @__PURE__ */ createBlock<
  'namespace',
  string,
  NamespaceOptions,
  Statement
>('namespace')

/**
 * Gives its nodes common options: a path, a controller folder (`module`), a prefix for the route
 * names (`as`), dates and so on. As in Rails, in a resource its path comes before the resource's.
 *
 * @param options - {@link ScopeOptions}
 * @example scope({ module: 'admin' }, resources('users')) // /api/users, controller `admin/users`
 * @example scope({ sunset: '2027-07-01' }, resources('users'), resources('teams'))
 * @example
 * scope({ path: 'accounts/:account_id' }, resources('users')) // /api/accounts/:account_id/users
 */
export const scope = <
  const Options extends ScopeOptions,
  const Body extends readonly (Statement | Inner)[],
>(
  options: Options & KnownOptions<Options, keyof ScopeOptions>,
  ...nodes: Body
): Scope<ScopeTypes<Options>, Body[number]> => createNode('scope', '', options, nodes)

/**
 * Declares a version of the API. If you declare a number twice, both add to the same version.
 *
 * @param name - its number, a whole number starting at 1
 * @param options - {@link VersionOptions}, or the first child node
 * @example
 * version(1, { deprecated: '2027-01-01', sunset: '2027-07-01', successor: 2 }, resources('users'))
 * version(2, inherit({ from: 1 }), resources('teams'))
 */
export const version = /* @__PURE__ */ createBlock<'version', number, VersionOptions, Statement>(
  'version',
)

/**
 * Declares its nodes in this version **and** gives them a name, so that later versions can inherit
 * only these. It's not an HTTP cache.
 *
 * @example
 * version(1, cache({ as: 'public' }, resources('users')), resources('keys')),
 * version(2, inherit({ from: 'public' }))
 */
export const cache = <const As extends string, const Body extends readonly Statement[]>(
  options: { readonly as: As },
  ...nodes: Body
): Cache<As, Body[number]> => {
  const { as, ...unknown } = options ?? {} // api() rejects unknown options
  return createNode('cache', as, unknown, nodes)
}

/**
 * Repeats another version's routes in this version, with **this** version's controllers.
 *
 * `from` is a version's number, which means everything that version has, inherited routes included.
 * If you only want to repeat a part of a version, put that part in a {@link cache}, and pass the
 * cache or its name. A list mixes them. `only` takes the names of top-level nodes. `except` also
 * takes single actions and nested nodes. Editors complete these names if `from` is a cache in a
 * `const`. {@link LifeOptions} apply to the repeated nodes.
 *
 * @example inherit({ from: 1 })
 * @example inherit({ from: 1, except: ['sessions', 'users#destroy', 'users/posts'] })
 * @example inherit({ from: [1, 'extras'] })
 */
export const inherit = <
  const From extends number | string | Cache,
  const Only extends string = string,
  const Except extends string = never,
>(
  options: LifeOptions &
    Selection<Only, Except | PathsOf<From>> & { readonly from: OneOrMany<From> },
): Inherit<From extends Cache<infer As> ? As : From, Only, Except> => {
  const { from, ...selection } = options ?? {}
  const sources = toList(from).map((source: From) => (isNode(source) ? source.name : source))
  return createNode('inherit', Object.freeze(sources), selection)
}

const createExtra =
  <const On extends string>(on: On) =>
  <const Body extends readonly Verb[]>(...verbs: Body): Extra<On, Body[number]> =>
    createNode('extra', on, {}, verbs)

/**
 * Adds routes to each member of a resource: `member(get('preview'))` is GET `/photos/:id/preview`.
 */
export const member = /* @__PURE__ */ createExtra('member')

/**
 * Adds routes to the collection of a resource: `collection(get('search'))` is GET `/photos/search`.
 */
export const collection = /* @__PURE__ */ createExtra('collection')

const createVerb =
  (method: string) =>
  <const Path extends string, const Options extends VerbOptions = {}>(
    path: Path,
    options?: Options,
  ): Verb<Path, OptionsOf<Options>> =>
    Object.freeze({ ...(createNode('verb', path, options) as Node), method }) as never

/**
 * Declares one GET route. Outside a resource, it needs a target.
 *
 * @example get('health', { to: 'health#show' })
 */
export const get = /* @__PURE__ */ createVerb('GET')
/** Declares one POST route. See {@link get}. */
export const post = /* @__PURE__ */ createVerb('POST')
/** Declares one PUT route. See {@link get}. */
export const put = /* @__PURE__ */ createVerb('PUT')
/** Declares one PATCH route. See {@link get}. */
export const patch = /* @__PURE__ */ createVerb('PATCH')
/** Declares one DELETE route. See {@link get}. */
export const del = /* @__PURE__ */ createVerb('DELETE')
