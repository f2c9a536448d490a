// The names of the routes, for `pathTo`. Where one cannot be computed, every string is a name.
import type { ActionName } from '../declare/actions.ts'
import type { Extra, Namespace, Node, Resource, Resources, Verb, Version } from '../declare/nodes.ts'
import type { ElementOf, OptionOf, Underscored } from '../declare/options-of.ts'
import type { Caches, Expanded, WrittenScope } from './caches.ts'
import type { ActionIn, Without, WithoutNames, WithoutNamesInside } from './except.ts'
import type { Singular } from './plural.ts'

/** The names in the route table, or `string`. `Prefix` is the namespace of the API. */
export type NamesOf<Versions extends readonly Version[], Only, Except, Shallow, Prefix extends string> = NamesIn<
  Versions[number],
  ApiContext<Only, Except, Shallow, Below<'', Prefix>, Caches<Versions>>,
  Prefix
>
/** Every name contains the prefix, so none is an identifier if the prefix is not. */
type NamesIn<V, C extends Context, Prefix extends string> = [V] extends [never]
  ? string
  : Prefix extends 'api'
    ? AllNames<V, C>
    : IsLiteral<Prefix> extends true
      ? IsWord<Prefix> extends true
        ? Exclude<AllNames<V, C>, Invalid>
        : never
      : string
/** Versions without options share one walk, so that a node in several of them is computed once. */
type AllNames<V, C extends Context> = C extends unknown
  ? Names<Expanded<PlainBody<V>, C['caches']>, C> | NamesWithOptions<V, C>
  : never
type PlainBody<V> =
  V extends Node<'version', unknown, infer Options, infer Body>
    ? [keyof Options] extends [never]
      ? unknown extends Options
        ? unknown
        : Body
      : never
    : unknown
type NamesWithOptions<V, C extends Context> =
  V extends Node<'version', unknown, infer Options, infer Body>
    ? [keyof Options] extends [never]
      ? never
      : NamesBelow<Expanded<Body, C['caches']>, C, Options, ''>
    : never

// ---- context: what encloses a node --------------------------------------------------------------

interface Context {
  caches: unknown
  actions: unknown
  shallow: unknown
  /** True if a resource around the node is shallow. */
  isInShallow: unknown
  /** The start of the names: `api_admin_`. `root` leaves the enclosing resources out, for shallow routes. */
  here: string
  root: string
  /** True below a resource. A `scope` there does not change `root`. */
  isNested: unknown
}
interface ApiContext<Only, Except, Shallow, Start, AllCaches> {
  caches: AllCaches
  actions: Extract<Only, Kept<{ except: Except }, never>>
  shallow: Shallow
  isInShallow: false
  here: Start
  root: Start
  isNested: false
}
/** Inside `version`, `namespace` and `scope`. */
interface Within<C extends Context, Options, As, Root> {
  caches: C['caches']
  actions: Kept<Options, C['actions']>
  shallow: OptionOf<Options, 'shallow', C['shallow']>
  isInShallow: C['isInShallow']
  here: Below<C['here'], As>
  root: Root
  isNested: C['isNested']
}
/** Of a resource. Its own `only` and `except` do not apply to nested resources. */
interface Own<C extends Context, Options> {
  caches: C['caches']
  actions: C['actions']
  shallow: OptionOf<Options, 'shallow', C['shallow']>
  isInShallow: Either<OptionOf<Options, 'shallow', C['shallow']>, true, C['isInShallow']>
  here: C['here']
  root: C['root']
  isNested: false
}
interface Nested<C extends Context, Here> {
  caches: C['caches']
  actions: C['actions']
  shallow: C['shallow']
  isInShallow: C['isInShallow']
  here: Here
  root: C['root']
  isNested: true
}

// ---- the names of a node ------------------------------------------------------------------------

/** `Gone` is what `except` of `inherit` names below the node: `'#destroy' | 'posts'`. */
type Names<N, C extends Context, Gone = never> =
  N extends Resources<infer Name, infer Options, infer Body>
    ? PluralNames<C, Options, OptionOf<Options, 'as', Name>, Body, Gone>
    : N extends Resource<infer Name, infer Options, infer Body>
      ? SingularNames<C, Options, OptionOf<Options, 'as', Name>, Body, Gone>
      : N extends Verb<infer Path, infer Options>
        ? After<C['here'], PartOf<Path, Options>>
        : N extends Namespace<infer Name, infer Options, infer Body>
          ? NamesBelow<WithoutNames<Expanded<Body, C['caches']>, Gone>, C, Options, OptionOf<Options, 'as', Name>>
          : N extends WrittenScope<infer Body, infer Options extends object>
            ? NamesBelow<Expanded<Body, C['caches']>, C, Options, OptionOf<Options, 'as', ''>, C['isNested'], Gone>
            : N extends Without<infer Inner, infer Excepted>
              ? Names<Inner, C, Excepted>
              : string

type NamesBelow<N, C extends Context, Options, As, KeepsRoot = false, Gone = never> =
  IsKnown<Options, As> extends true
    ? Names<N, Within<C, Options, As, Either<KeepsRoot, C['root'], Below<C['root'], As>>>, Gone>
    : string

type PluralNames<C extends Context, Options, As, Body, Gone> = PluralNamesOf<
  C,
  Options,
  As,
  OptionOf<Options, 'singular', Singular<As>>,
  Body,
  Gone
>
type PluralNamesOf<C extends Context, Options, As, One, Body, Gone> =
  IsKnown<Options, As | One> extends true
    ?
        | After<Starts<C, Options, Gone>['collection'], ListOf<As, One>>
        | After<Starts<C, Options, Gone>['member'], One>
        | ([Body] extends [never]
            ? never
            : NamesInside<WithoutNamesInside<Body, Gone>, Own<C, Options>, One, ListOf<As, One>>)
    : string
/** `_index` sets the collection apart where singular and plural are equal. */
type ListOf<As, One> = One extends As ? `${As & string}_index` | NotLiteral<As & string> : As
type SingularNames<C extends Context, Options, As, Body, Gone> =
  IsKnown<Options, As> extends true
    ? After<SingularStarts<C, Options, Gone>, As> | NamesInside<WithoutNamesInside<Body, Gone>, Own<C, Options>, As>
    : string

/** What comes before the plural and the singular in the names. Resources of equal options share it. */
interface Starts<C extends Context, Options, Gone> {
  collection: StartsOf<OwnActions<C, Options, Gone>, C['here'], never, never>
  member: StartsOf<OwnActions<C, Options, Gone>, never, C['here'], MemberStart<Own<C, Options>>>
}
type SingularStarts<C extends Context, Options, Gone> = StartsOf<
  Exclude<OwnActions<C, Options, Gone>, 'index'>,
  C['here'],
  C['here'],
  C['here']
>
type OwnActions<C extends Context, Options, Gone> = Exclude<Kept<Options, C['actions']>, ActionIn<Gone>>
type StartsOf<Actions, OnCollection, New, OnMember> = Actions extends 'index' | 'create'
  ? OnCollection
  : Actions extends 'new'
    ? `new_${New & string}`
    : Actions extends 'edit'
      ? `edit_${OnMember & string}`
      : OnMember
type MemberStart<C extends Context> = Either<C['shallow'], C['root'], C['here']>
type NestedStart<C extends Context> = Either<C['shallow'], Either<C['isInShallow'], C['root'], C['here']>, C['here']>

/** Of the nodes in a resource. `List` is its plural, `never` for a singular resource. */
type NamesInside<N, C extends Context, One, List = never> =
  N extends Extra<infer On, infer V>
    ? ExtraNames<
        V,
        [List] extends [never]
          ? After<C['here'], One>
          : On extends 'member'
            ? After<MemberStart<C>, One>
            : After<C['here'], List>
      >
    : N extends Verb<infer Path, infer Options>
      ? [List] extends [never]
        ? ExtraNames<N, After<C['here'], One>>
        : After<Below<NestedStart<C>, One>, InnerPart<Path, Options>>
      : N extends WrittenScope<infer Body, infer Options extends object>
        ? NamesInScope<Body, C, Options, OptionOf<Options, 'as', ''>, One, List>
        : Names<N, Nested<C, Below<[List] extends [never] ? C['here'] : NestedStart<C>, One>>>
/** A scope in a resource applies to the resource itself. */
type NamesInScope<Body, C extends Context, Options, As, One, List> =
  IsKnown<Options, As> extends true
    ? NamesInside<Body, Within<C, Options, As, Below<C['root'], As>>, One, List>
    : string

// ---- the names of verbs -------------------------------------------------------------------------

/** In `member`, `collection` and `resource`. There, `get('show')` has the path and the name of the resource itself. */
type ExtraNames<V, Name> =
  V extends Verb<infer Path, infer Options>
    ? Prefixed<Path extends Exclude<ActionName, 'edit'> ? PartOf<'', Options> : InnerPart<Path, Options>, Name>
    : string
type Prefixed<Part, Name> = string extends Part ? string : Exclude<After<Below<'', Part>, Name>, Invalid>

/** In a resource, a verb without a path has no name. */
type InnerPart<Path, Options> = Path extends ''
  ? Options extends { as: unknown }
    ? PartOf<Path, Options>
    : never
  : PartOf<Path, Options>
type PartOf<Path, Options> =
  IsKnown<Options, ''> extends true ? PartOfPath<OptionOf<Options, 'as', Path> & string> : string
/** `reports/daily` gives `reports_daily`. `never` where the name would not be an identifier, `string` where it is not known. */
type PartOfPath<Path extends string> = IsLiteral<Path> extends true ? WordOf<Segments<Underscored<Path>>> : string
type Segments<Path> = Path extends `${infer First}/${infer Rest}` ? After<Below<'', First>, Segments<Rest>> : Path
type WordOf<Text> = Text extends unknown ? (IsWord<Text> extends true ? Text : never) : never
type IsWord<Text> = Text extends `${infer First}${infer Rest}`
  ? WordCharacters extends `${string}${First}${string}`
    ? IsWord<Rest>
    : false
  : true
type WordCharacters = '_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
type Invalid = '' | '_' | `${Digit | '__' | `_${Digit}`}${string}`

// ---- helpers ------------------------------------------------------------------------------------

/** Appends the last part of a name. Empty parts are left out. */
type After<Start, Part> = string extends Part
  ? string
  : Part extends ''
    ? Start extends `${infer Name}_`
      ? Name
      : Start
    : `${Start & string}${Part & string}`
/** Appends a part that others follow. */
type Below<Start, Part> = Part extends '' ? Start : `${Start & string}${Part & string}_`

/** The actions that `only` and `except` keep. A list whose length is not known may leave out none. */
type Kept<Options, Default> = Options extends { only: infer Only }
  ? ElementOf<Only>
  : Options extends { except: infer Except }
    ? Left<Except extends readonly unknown[] ? Except : [Except]>
    : Default
type Left<Except, Actions = ActionName> = Except extends readonly [infer First, ...infer Rest]
  ? Left<Rest, First extends unknown ? Exclude<Actions, First> : never>
  : Actions
/** False if an option may be missing, or the part of a name may be any string. */
type IsKnown<Options, Part> = Options extends Required<Options> ? (string extends Part ? false : true) : false
/** A string of which the value is not known. */
export type NotLiteral<Text extends string> = {} extends { [_ in Text]: unknown } ? Text : never
type IsLiteral<Text extends string> = {} extends { [_ in Text]: unknown } ? false : true
type Either<Flag, Yes, No> = Flag extends true ? Yes : No
