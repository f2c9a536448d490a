// What `except` of `inherit` may name, for completion in editors. `api()` checks the names.
import type { ActionName } from './actions.ts'
import type { Cache, Extra, Namespace, Node, Scope, Verb } from './nodes.ts'
import type { SelectedActions, TargetOf } from './options-of.ts'

/** The names in a cache that is passed by value: `users`, `users#destroy`, `users/posts`. */
export type ExceptNames<From> = From extends Cache<string, infer Body> ? NamesOfNode<Body> : never

type NamesOfNode<N> =
  N extends Node<'resources' | 'resource', infer Name extends string, infer Options, infer Body>
    ? Name | `${Name}#${SelectedActions<Options, ActionName> & string}` | `${Name}${NamesInBody<Body>}`
    : N extends Namespace<infer Name extends string, unknown, infer Body>
      ? Name | `${Name}/${NamesOfNode<Body> & string}`
      : N extends Scope<unknown, infer Body> | Cache<string, infer Body>
        ? NamesOfNode<Body>
        : N extends Verb<infer Path extends string>
          ? Path
          : never

type NamesInBody<N> = N extends Extra<unknown, infer Body> | Scope<unknown, infer Body>
  ? NamesInBody<Body>
  : N extends Verb<infer Path, infer Options>
    ? `#${TargetAction<TargetOf<Path, Options>>}`
    : `/${NamesOfNode<N> & string}`

/** The action of a target: `show` for `users#show` and for `show`. */
export type TargetAction<Target> = Target extends `${string}#${infer Name}` ? Name : Target & string
