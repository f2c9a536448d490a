// Route names are Rails' names, so the inflections are Rails', also where that is no English: `criteria` gives
// `criterium`, `waves` gives `wafe`. `singular` and `as` of a resource are for those words. An ending is a pattern, and
// what takes its place; the first that fits decides.

type Endings = readonly (readonly [ending: RegExp, replacement: string])[]

const endings = (text: string): Endings =>
  text.split(/\s+/).map((rule) => {
    const [ending, replacement] = rule.split('>') as [string, string]
    return [new RegExp(`${ending}$`, 'i'), replacement]
  })

const uncountable = /(?:^|\W)(?:equipment|information|rice|money|species|series|fish|sheep|jeans|police)$/i

const singulars = endings(
  `(p)eople>$1erson (m)en>$1an (c)hildren>$1hild (m)oves>$1ove (z)ombies>$1ombie
  (database)s>$1 (quiz)zes>$1 (matr)ices>$1ix (vert|ind)ices>$1ex ^(ox)en(.*)>$1$2 (alias|status)(?:es)?>$1
  (octop|vir)(?:us|i)>$1us ^(a)x[ie]s>$1xis (cris|test)(?:is|es)>$1is (shoe)s>$1 (o)es>$1 (bus)(?:es)?>$1
  ^([ml])ice>$1ouse (x|ch|ss|sh)es>$1 (movie)s>$1 (series)>$1 ([^aeiouy]|qu)ies>$1y ([lr])ves>$1f
  (tive|hive)s>$1 ([^f])ves>$1fe ((?:^analy)|(?:analy|ba|diagno|parenthe|progno|synop|the))s[ie]s>$1sis
  ([ti])a>$1um (n)ews>$1ews (ss)>$1 s>`,
)
const plurals = endings(
  `(p)(?:erson|eople)>$1eople (m)[ae]n>$1en (c)hild(?:ren)?>$1hildren
  (quiz)>$1zes ^(ox)(?:en)?>$1en ^([ml])(?:ouse|ice)>$1ice (matr|vert|ind)(?:ix|ex)>$1ices
  (x|ch|ss|sh)>$1es ([^aeiouy]|qu)y>$1ies (?:([^f])fe|([lr])f)>$1$2ves sis>ses ([ti])a>$1a ([ti])um>$1a
  (buffal|tomat)o>$1oes (bus)>$1es (alias|status)>$1es ((?:octop|vir)i)>$1 (octop|vir)us>$1i ^(ax|test)is>$1es
  s>s (.?)>$1s`,
)

const inflect = (text: string, rules: Endings): string => {
  const rule = uncountable.test(text) ? undefined : rules.find(([ending]) => ending.test(text))
  return rule === undefined ? text : text.replace(...rule)
}
export const singularize = (text: string): string => inflect(text, singulars)
export const pluralize = (text: string): string => inflect(text, plurals)

/** A name of a route is a word, or there is none: Rails drops the others too. */
export const routeName = (parts: readonly string[]): string | null => {
  const name = parts.filter(Boolean).join('_')
  return /^_?[a-z]\w*$/i.test(name) ? name : null
}

// The same in types. A singular where letters alone tell it, else `string`; a plural always, as it names a controller.

type Uncertain =
  | 'news'
  | 'jeans'
  | 'analytics'
  | 'testes'
  | `${'d' | 'r' | 't'}ices`
  | `${'i' | 'u' | 's' | 'a' | 'n'}s`
  | `${'ie' | 'se' | 'xe' | 'ze' | 'he' | 'oe' | 've'}s`
export type Singular<Word> = Word extends `${string}${Uncertain}`
  ? string
  : Word extends `${infer Stem}s`
    ? Stem
    : string

type Uncountable =
  | 'equipment'
  | 'information'
  | 'rice'
  | 'money'
  | 'species'
  | 'series'
  | 'fish'
  | 'sheep'
  | 'jeans'
  | 'police'
export type Plural<Word> = Word extends
  | Uncountable
  | `${string}-${Uncountable}`
  | `${string}${'people' | 'men' | 'children'}`
  ? Word
  : Word extends `${infer Stem}person`
    ? `${Stem}people`
    : Word extends `${infer Stem}man`
      ? `${Stem}men`
      : Word extends `${string}child`
        ? `${Word}ren`
        : Word extends `${string}quiz`
          ? `${Word}zes`
          : Word extends 'ox' | 'oxen'
            ? 'oxen'
            : Word extends `${infer Stem extends 'm' | 'l'}${'ouse' | 'ice'}`
              ? `${Stem}ice`
              : Word extends `${infer Stem}${'ix' | 'ex'}`
                ? Stem extends `${string}${'matr' | 'vert' | 'ind'}`
                  ? `${Stem}ices`
                  : `${Word}es`
                : LetterPlural<Word>
type LetterPlural<Word> =
  Word extends `${string}${'x' | 'ch' | 'ss' | 'sh' | 'buffalo' | 'tomato' | 'bus' | 'alias' | 'status'}`
    ? `${Word}es`
    : Word extends `${infer Stem}y`
      ? Stem extends `${string}${'a' | 'e' | 'i' | 'o' | 'y'}`
        ? `${Word}s`
        : Stem extends `${string}qu`
          ? `${Stem}ies`
          : Stem extends `${string}u`
            ? `${Word}s`
            : `${Stem}ies`
      : Word extends `${infer Stem}fe`
        ? Stem extends `${string}f`
          ? `${Word}s`
          : `${Stem}ves`
        : Word extends `${infer Stem extends `${string}${'l' | 'r'}`}f`
          ? `${Stem}ves`
          : LatinPlural<Word>
type LatinPlural<Word> = Word extends `${infer Stem}sis`
  ? `${Stem}ses`
  : Word extends `${infer Stem extends `${string}${'t' | 'i'}`}um`
    ? `${Stem}a`
    : Word extends `${infer Stem extends `${string}${'octop' | 'vir'}`}us`
      ? `${Stem}i`
      : Word extends `${infer Stem extends 'ax' | 'test'}is`
        ? `${Stem}es`
        : Word extends `${string}${'ta' | 'ia' | 'octopi' | 'viri' | 's'}`
          ? Word
          : `${Word & string}s`
