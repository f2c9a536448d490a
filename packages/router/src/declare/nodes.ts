// What a route file's helpers return: plain frozen data. The types record what was written.

/**
 * What a route file's helpers return. `Body` is the union of the child nodes, because TypeScript
 * distributes over a union faster than over a tuple.
 */
export interface Node<
  Kind extends string = string,
  Name = unknown,
  Options = unknown,
  Body = unknown,
> {
  readonly kind: Kind
  readonly name: Name
  readonly options: Options
  readonly nodes: readonly Body[]
}

// Names for the kinds, in types. The helpers return `Node` instead, because a declaration file can
// only name what the package exports.
export type Resources<Name = string, Options = unknown, Body = unknown> = Node<
  'resources',
  Name,
  Options,
  Body
>
export type Resource<Name = string, Options = unknown, Body = unknown> = Node<
  'resource',
  Name,
  Options,
  Body
>
export type Namespace<Name = string, Options = unknown, Body = unknown> = Node<
  'namespace',
  Name,
  Options,
  Body
>
/** Its options are an object, to tell it from the scope in `Statement`, which contains itself. */
export type Scope<Options extends object = object, Body = unknown> = Node<
  'scope',
  '',
  Options,
  Body
>
export type Cache<As = string, Body = unknown> = Node<'cache', As, {}, Body>
export type Inherit<From = string | number, Only = string, Except = string> = Node<
  'inherit',
  From,
  [Only, Except],
  never
>
/** `member` and `collection`. */
export type Extra<On = 'member' | 'collection', Body = unknown> = Node<'extra', On, {}, Body>
/** `get`, `post`, `put`, `patch` and `del`. */
export type Verb<Path = string, Options = unknown> = Node<'verb', Path, Options, never>
export type Version<VersionNumber = number, Options = unknown, Body = unknown> = Node<
  'version',
  VersionNumber,
  Options,
  Body
>

type Block = Resources | Resource | Namespace
/** A node that a version, a cache or a namespace can contain. */
export type Statement =
  | Block
  | Cache
  | Inherit
  | Verb<string, { readonly to: string }>
  | Node<'scope', '', unknown, Statement>
/** A node that a resource can contain. */
export type Inner = Block | Extra | Verb | Node<'scope', '', unknown, Inner>

/** Whether a value is a node, rather than a helper's options. */
export const isNode = (value: unknown): value is Node =>
  typeof (value as Partial<Node> | null)?.kind === 'string' && Array.isArray((value as Node).nodes)

/** No option has more levels. A value with more may contain itself, and `api()` rejects it. */
const maxDepth = 3

/** Returns a copy of an option's value that's frozen all the way down. Nodes already are. */
export function frozen<T>(value: T, depth = 0): T {
  if (value instanceof RegExp) return Object.freeze(new RegExp(value)) as T
  // Even a frozen Date can be set, so nodes contain its text.
  if (value instanceof Date) return (value.toJSON() ?? String(value)) as T
  if (typeof value !== 'object' || value === null || isNode(value) || depth >= maxDepth)
    return value
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozen(item, depth + 1))) as T
  const entries = Object.entries(value).map(([key, item]) => [key, frozen(item, depth + 1)])
  return Object.freeze(Object.fromEntries(entries)) as T
}
