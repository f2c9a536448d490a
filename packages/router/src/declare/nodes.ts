// What a route file's helpers return: plain frozen data. The types record what was written.

/** What a route file's helpers return. */
export interface Node {
  readonly kind: string
  readonly name: unknown
  readonly options: unknown
  readonly nodes: readonly unknown[]
}

// The kinds are interfaces, because editors and declaration files show an interface's name and type
// arguments, but not its properties. `Body` is the union of the child nodes, because TypeScript
// distributes over a union faster than over a tuple.

/** What `resources()` returns. */
export interface Resources<Name = string, Options = unknown, Body = unknown> extends Node {
  readonly kind: 'resources'
  readonly name: Name
  readonly options: Options
  readonly nodes: readonly Body[]
}
/** What `resource()` returns. */
export interface Resource<Name = string, Options = unknown, Body = unknown> extends Node {
  readonly kind: 'resource'
  readonly name: Name
  readonly options: Options
  readonly nodes: readonly Body[]
}
/** What `namespace()` returns. */
export interface Namespace<Name = string, Options = unknown, Body = unknown> extends Node {
  readonly kind: 'namespace'
  readonly name: Name
  readonly options: Options
  readonly nodes: readonly Body[]
}
interface AnyScope<Body> extends Node {
  readonly kind: 'scope'
  readonly nodes: readonly Body[]
}
/**
 * What `scope()` returns. Its options have to be an object. That's the difference from the scope in
 * `Statement`, whose type contains itself.
 */
export interface Scope<Options extends object = object, Body = unknown> extends AnyScope<Body> {
  readonly options: Options
}
/** What `cache()` returns. */
export interface Cache<As = string, Body = unknown> extends Node {
  readonly kind: 'cache'
  readonly name: As
  readonly nodes: readonly Body[]
}
/** What `inherit()` returns. */
export interface Inherit<From = string | number, Only = string, Except = string> extends Node {
  readonly kind: 'inherit'
  readonly name: From
  readonly options: [Only, Except]
}
/** What `member()` and `collection()` return. */
export interface Extra<On = 'member' | 'collection', Body = unknown> extends Node {
  readonly kind: 'extra'
  readonly name: On
  readonly nodes: readonly Body[]
}
/** What `get()`, `post()`, `put()`, `patch()` and `del()` return. */
export interface Verb<Path = string, Options = unknown> extends Node {
  readonly kind: 'verb'
  readonly name: Path
  readonly options: Options
  readonly nodes: readonly never[]
}
/** What `version()` returns. */
export interface Version<VersionNumber = number, Options = unknown, Body = unknown> extends Node {
  readonly kind: 'version'
  readonly name: VersionNumber
  readonly options: Options
  readonly nodes: readonly Body[]
}

/** The nodes that have a name, options and child nodes, by kind. */
export interface Blocks<Name = string, Options = unknown, Body = unknown> {
  resources: Resources<Name, Options, Body>
  resource: Resource<Name, Options, Body>
  namespace: Namespace<Name, Options, Body>
  version: Version<Name, Options, Body>
}
/** What `resources` and `resource` return. */
export type AnyResource<Name = string, Options = unknown, Body = unknown> = Blocks<
  Name,
  Options,
  Body
>['resources' | 'resource']

type Block = AnyResource | Namespace
/** A node that a version, a cache or a namespace can contain. */
export type Statement =
  | Block
  | Cache
  | Inherit
  | Verb<string, { readonly to: string }>
  | AnyScope<Statement>
/** A node that a resource can contain. */
export type Inner = Block | Extra | Verb | AnyScope<Inner>

/** Whether a value is a node, rather than a helper's options. */
export const isNode = (value: unknown): value is Node =>
  typeof (value as Partial<Node> | null)?.kind === 'string' && Array.isArray((value as Node).nodes)

/** No option has more levels. A value with more may contain itself, and `api()` rejects it. */
const maxDepth = 3

/** Returns a copy of an option's value that's frozen all the way down. Nodes already are. */
export function frozen<T>(value: T, depth = 0): T {
  if (value instanceof RegExp) return Object.freeze(new RegExp(value)) as T
  // Even a frozen Date can be changed, so nodes contain its text.
  if (value instanceof Date) return (value.toJSON() ?? String(value)) as T
  if (typeof value !== 'object' || value === null || isNode(value) || depth >= maxDepth)
    return value
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozen(item, depth + 1))) as T
  const entries = Object.entries(value).map(([key, item]) => [key, frozen(item, depth + 1)])
  return Object.freeze(Object.fromEntries(entries)) as T
}
