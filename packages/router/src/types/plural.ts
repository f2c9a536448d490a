// Rails' inflections in types.

/** Endings whose singular depends on the whole word. */
type Ambiguous =
  | 'news'
  | 'jeans'
  | 'analytics'
  | 'testes'
  | `${'d' | 'r' | 't'}ices`
  | `${'i' | 'u' | 's' | 'a' | 'n'}s`
  | `${'ie' | 'se' | 'xe' | 'ze' | 'he' | 'oe' | 've'}s`
/** The singular where the ending decides, else `string`. */
export type Singular<Word> = Word extends `${string}${Ambiguous}`
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
/** The plural, as the run-time inflector gives it: it is the controller key of `resource`. */
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
      ? Stem extends '' | `${string}${'a' | 'e' | 'i' | 'o' | 'y'}`
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
