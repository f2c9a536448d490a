import type { ActionName } from './actions.ts'
import type { Cache, Extra, Namespace, Node, Scope, Verb } from './nodes.ts'
import type { SelectedActions, TargetOf } from './options-of.ts'

/** What `except` of `inherit` may name: `users`, `users#destroy`, `users/posts`, `admin/keys#show`. */
export type PathsOf<N> =
  N extends Node<'resources' | 'resource', infer Name extends string, infer Options, infer Body>
    ? Name | `${Name}#${SelectedActions<Options, ActionName> & string}` | `${Name}${PathsInside<Body>}`
    : N extends Namespace<infer Name extends string, unknown, infer Body>
      ? Name | `${Name}/${PathsOf<Body> & string}`
      : N extends Scope<unknown, infer Body> | Cache<string, infer Body>
        ? PathsOf<Body>
        : N extends Verb<infer Path extends string>
          ? Path
          : never

/** What follows the name of a resource. A verb in it is named by its action or by its path. */
type PathsInside<N> = N extends Extra<unknown, infer Body> | Scope<unknown, infer Body>
  ? PathsInside<Body>
  : N extends Verb<infer Path, infer Options>
    ? `#${TargetAction<TargetOf<Path, Options>>}` | `/${Path & string}`
    : `/${PathsOf<N> & string}`

/** The action of a target: `show` for `users#show` and for `show`. */
export type TargetAction<Target> = Target extends `${string}#${infer Name}` ? Name : Target & string
