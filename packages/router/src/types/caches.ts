// Every `inherit` replaced by the nodes that it repeats.
import type { Cache, Inherit, Namespace, Node, Scope, Version } from '../declare/nodes.ts'
import type { WithNames, WithoutPaths } from './select-nodes.ts'

/** The nodes of every cache, by name. A mapped type resolves each once, so a long chain of inherits is not deep. */
export type Caches<Versions extends readonly Version[]> = {
  [C in CachesIn<Versions[number]['nodes'][number]> as C['name']]: Expanded<C['nodes'][number], Caches<Versions>>
}

/** Tested first everywhere: nearly all nodes are of these kinds. */
export type PlainNode = Node<'resources' | 'resource' | 'verb'>

type CachesIn<N> = N extends PlainNode
  ? never
  : N extends Cache<infer As, infer Body>
    ? string extends As
      ? never
      : N | CachesIn<Body>
    : N extends Namespace<string, unknown, infer Body> | WrittenScope<infer Body>
      ? CachesIn<Body>
      : never

/**
 * A scope that a route file contains. It does not match the scope of the constraint `Statement`, which contains itself: the
 * compiler infers that one for a call that does not compile.
 */
export type WrittenScope<Body = unknown, Options = object> = Scope<Options, Body>

/** A node with the nodes of its caches, and with those that its `inherit` repeats. */
export type Expanded<N, AllCaches> = N extends PlainNode
  ? N
  : N extends Cache<string, infer Body>
    ? Expanded<Body, AllCaches>
    : N extends Inherit<infer From, infer Only, infer Except>
      ? string extends From | Except
        ? N // not known: it adds no routes to the table
        : Selected<AllCaches[From & keyof AllCaches], Only, Except>
      : N extends WrittenScope<infer Body, infer Options extends object>
        ? Scope<Options, Expanded<Body, AllCaches>>
        : N extends Namespace<infer Name, infer Options, infer Body>
          ? Namespace<Name, Options, Expanded<Body, AllCaches>>
          : N

type Selected<N, Only, Except> = [Except] extends [never]
  ? string extends Only
    ? N
    : WithNames<N, Only>
  : WithoutPaths<N, Except>
