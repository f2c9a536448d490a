import type { ActionName } from '../declare/actions.ts'
import type { Cache, Extra, Inherit, Namespace, Node, Scope, Verb, Version } from '../declare/nodes.ts'
import type { Caches, Expanded, PlainNode, WrittenScope } from './caches.ts'
import type { TargetAction } from '../declare/except-names.ts'
import type { FirstPart, NameOf, Rest, Without } from './except.ts'
import type { SelectedActions, TargetOf } from '../declare/options-of.ts'

/** The versions, each replaced by a message when it inherits something that does not exist. */
export type Checked<Versions extends readonly Version[]> = {
  [I in keyof Versions]: OrMessage<Versions[I], MessageFor<Versions[I]['nodes'][number], Caches<Versions>>>
}
type OrMessage<V, Found> = [Found] extends [never] ? V : Found

type MessageFor<N, AllCaches> = N extends PlainNode
  ? never
  : N extends Inherit<infer From, infer Only, infer Except>
    ? string extends Except
      ? never // of a call that does not compile
      : [Exclude<From, keyof AllCaches>] extends [never]
        ? UnknownNames<AllCaches[From & keyof AllCaches], From, string extends Only ? never : Only, Except, AllCaches>
        : `no cache is named '${Exclude<From, keyof AllCaches> & string}'`
    : N extends Cache<string, infer Body> | Namespace<string, unknown, infer Body> | WrittenScope<infer Body>
      ? MessageFor<Body, AllCaches>
      : never

type UnknownNames<N, From, Only, Except, AllCaches> = [Only | Except] extends [never]
  ? never
  : NotIn<Exclude<Only | Except, NameOf<N>>, From, Only, N, AllCaches>
type NotIn<Name, From, Only, N, AllCaches> = Name extends Only
  ? Message<From, Name>
  : [FoundAt<N, Name, AllCaches>] extends [never]
    ? Message<From, Name>
    : never
type Message<From, Name> = `cache '${From & string}' has no '${Name & string}'`

/** True if `Path` names a node or an action below the nodes: `'users#destroy'`. */
type FoundAt<N, Path, AllCaches> = FoundIn<Extract<N, { name: FirstPart<Path> }>, Rest<Path>, AllCaches>
type FoundIn<N, Path, AllCaches> =
  N extends Node<'resources' | 'resource', unknown, infer Options, infer Body>
    ? Path extends `#${infer Name}`
      ? Extract<Name, SelectedActions<Options, ActionName> | VerbActions<NodesInside<Body>>>
      : FoundBelow<NodesInside<Body>, Path, AllCaches>
    : N extends Namespace<string, unknown, infer Body>
      ? FoundBelow<Expanded<Body, AllCaches>, Path, AllCaches>
      : N extends Scope<unknown, infer Body>
        ? FoundIn<Body, Path, AllCaches>
        : N extends Without<infer Inner, infer Names>
          ? [Extract<Path, Names | AnythingBelow<Names>>] extends [never]
            ? FoundIn<Inner, Path, AllCaches>
            : never
          : never
type FoundBelow<N, Path, AllCaches> = Path extends NameOf<N> ? Path : FoundAt<N, Path, AllCaches>
/** Everything below `posts`. */
type AnythingBelow<Names> = `${Names & string}${'#' | '/'}${string}`
/** The nodes of a resource. */
type NodesInside<N> = N extends Extra<unknown, infer Body> | Scope<unknown, infer Body> ? NodesInside<Body> : N
type VerbActions<N> = N extends Verb<infer Path, infer Options> ? TargetAction<TargetOf<Path, Options>> : never
