// What the options of a node mean, in types.
import type { ActionName } from './actions.ts'

/** The value of an option, or its default. */
export type OptionOf<Options, Key extends string, Default> = Options extends { [K in Key]: infer Value }
  ? Value
  : Default

/** The actions that `only` and `except` keep; `Default` without either. `without` has those that an `inherit` leaves out. */
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
export type Underscored<Path> = Path extends `${infer Before}-${infer After}` ? Underscored<`${Before}_${After}`> : Path
