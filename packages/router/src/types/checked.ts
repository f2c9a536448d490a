import type { Cache, Inherit, Namespace, Version } from '../declare/nodes.ts'
import type { Caches, PlainNode } from './table-of.ts'

/** The versions, each replaced by a message when it inherits something that does not exist. */
export type Checked<Versions extends readonly Version[]> = {
  [I in keyof Versions]: OrMessage<Versions[I], MessageFor<Versions[I]['nodes'][number], Caches<Versions>>>
}
type OrMessage<V, Message> = [Message] extends [never] ? V : Message

type MessageFor<N, AllCaches> = N extends PlainNode
  ? never
  : N extends Inherit<infer From, infer Only, infer Except>
    ? [Exclude<From, keyof AllCaches>] extends [never]
      ? NotIn<AllCaches[From & keyof AllCaches], From, (string extends Only ? never : Only) | Except>
      : `no cache is named '${Exclude<From, keyof AllCaches> & string}'`
    : N extends Cache<string, infer Body>
      ? MessageFor<Body, AllCaches>
      : N extends Namespace<string, unknown, infer Body>
        ? MessageFor<Body, AllCaches>
        : never
type NotIn<N, From, Name> = Name extends NameOf<N> ? never : `cache '${From & string}' has no '${Name & string}'`
type NameOf<N> = N extends { name: infer Name } ? Name : never
