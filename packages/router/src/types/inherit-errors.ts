import type { Cache, Inherit, Namespace, Version } from '../declare/nodes.ts'
import type { PathsOf } from '../declare/paths-of.ts'
import type { Caches, PlainNode, WrittenScope } from './caches.ts'
import type { FirstPart, NamesOf, WithNames } from './select-nodes.ts'

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
        ? UnknownPaths<AllCaches[From & keyof AllCaches], From, string extends Only ? never : Only, Except>
        : `no cache is named '${Exclude<From, keyof AllCaches> & string}'`
    : N extends Cache<string, infer Body> | Namespace<string, unknown, infer Body> | WrittenScope<infer Body>
      ? MessageFor<Body, AllCaches>
      : never

type UnknownPaths<N, From, Only, Except> = [Only | Except] extends [never]
  ? never
  : NotIn<Exclude<Only | Except, NamesOf<N>>, From, Only, N>
type NotIn<Path, From, Only, N> = Path extends Only
  ? Message<From, Path>
  : Path extends PathsOf<WithNames<N, FirstPart<Path>>>
    ? never
    : Message<From, Path>
type Message<From, Path> = `cache '${From & string}' has no '${Path & string}'`
