// What a node's options mean, in types.
import type { ActionName } from './actions.ts'
import type { AnyResource, Cache, Extra, Namespace, Scope, Verb } from './nodes.ts'

/** `api()`'s options that change the types, or `{}` if none do. */
export type AppliedOptions<Allowed, Shallow> = [ActionName, Shallow] extends [Allowed, false]
  ? {}
  : { only: Allowed; shallow: Shallow }

/** The value of an option, or its default. */
export type OptionOf<Options, Key extends string, Default> = Options extends {
  [K in Key]: infer Value
}
  ? Value
  : Default

/**
 * The actions that `only` and `except` keep, or `Default` if neither is set. `without` contains the
 * actions that an `inherit` leaves out.
 */
export type SelectedActions<Options, Default> = Exclude<
  Options extends { only: infer Names }
    ? ElementOf<Names>
    : Options extends { except: infer Names }
      ? Exclude<ActionName, ElementOf<Names>>
      : Default,
  keyof OptionOf<Options, 'without', {}>
>
/** The names in one name or a list of names. */
export type ElementOf<Names> = Names extends readonly (infer Name)[] ? Name : Names

/** `health#show`, or an action. */
export type TargetOf<Path, Options> = OptionOf<Options, 'to', Underscored<Path>>
/** A path with `_` for each dash. */
export type Underscored<Path> = Path extends `${infer Before}-${infer After}`
  ? Underscored<`${Before}_${After}`>
  : Path

/**
 * What `inherit`'s `except` can name: `users`, `users#destroy`, `users/posts`, `admin/keys#show`. A
 * verb outside of resources has two names: its path, and the target `users#destroy`.
 */
export type PathsOf<N> =
  N extends AnyResource<infer Name extends string, infer Options, infer Body>
    ?
        | Name
        | `${Name}#${SelectedActions<Options, ActionName> & string}`
        | `${Name}${PathsInside<Body>}`
    : N extends Namespace<infer Name extends string, unknown, infer Body>
      ? Name | `${Name}/${PathsOf<Body> & string}`
      : N extends Scope<object, infer Body> | Cache<string, infer Body>
        ? PathsOf<Body>
        : N extends Verb<infer Path extends string, infer Options>
          ? Path | NamedTarget<Options>
          : never

/** A verb's target with its controller: `users#destroy`. */
export type NamedTarget<Options> = Extract<OptionOf<Options, 'to', never>, `${string}#${string}`>

/**
 * What can follow a resource's name: `#destroy`, `/posts`. A verb has two such names, by its action
 * and by its path.
 */
type PathsInside<N> = N extends Extra<unknown, infer Body> | Scope<object, infer Body>
  ? PathsInside<Body>
  : N extends Verb<infer Path, infer Options>
    ? `#${TargetAction<TargetOf<Path, Options>>}` | `/${Path & string}`
    : `/${PathsOf<N> & string}`

/** A target's action: `show` in `users#show`, and in `show`. */
export type TargetAction<Target> = Target extends `${string}#${infer Name}` ? Name : Target & string
