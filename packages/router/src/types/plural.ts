// Rails' inflections in types.

/** The singular, as the run-time inflector gives it: route names and `post_id` contain it. `string` where it is not known. */
export type Singular<Word> =
  Lowercase<Word & string> extends Irregular
    ? InAnyCase<Word>
    : Word extends `${infer Stem}s`
      ? Stem
      : Word extends `${string}S`
        ? string
        : Word
/** Words whose singular may be more than the word without its `s`. */
type Irregular =
  | `${string}${'e' | 'i' | 'u' | 's' | 'ia' | 'w' | 'n'}s`
  | `${string}${'people' | 'men' | 'children' | 'octopi' | 'viri' | 'ta' | 'ia'}`
  | `oxen${string}`
  | 'mice'
  | 'lice'
/** The inflector ignores case. A word whose singular would differ in lower case is not known. */
type InAnyCase<Word> = {} extends { [_ in Word & string]: unknown }
  ? string
  : Word extends `${string}S`
    ? string
    : Lowercase<SingularOf<Word> & string> extends SingularOf<Lowercase<Word & string>>
      ? SingularOf<Word>
      : string
type SingularOf<Word> = Word extends `${infer Stem}s`
  ? SingularOfS<Word, Stem>
  : Word extends `${infer Stem}people`
    ? `${Stem}person`
    : Word extends `${infer Stem}men`
      ? `${Stem}man`
      : Word extends `${infer Stem}children`
        ? `${Stem}child`
        : Word extends `oxen${infer Rest}`
          ? `ox${Rest}`
          : Word extends `${infer Stem extends `${string}${'octop' | 'vir'}`}i`
            ? `${Stem}us`
            : Word extends `${infer Stem extends 'm' | 'l'}ice`
              ? `${Stem}ouse`
              : Word extends `${infer Stem extends `${string}${'t' | 'i'}`}a`
                ? `${Stem}um`
                : Word
type SingularOfS<Word, Stem> = Word extends
  | Uncountable
  | `${string}-${Uncountable}`
  | `${string}${'alias' | 'status' | 'octopus' | 'virus' | 'bus' | 'crisis' | 'testis' | 'series' | 'news' | 'ss'}`
  | `${string}${Analysis}is`
  | 'axis'
  ? Word
  : Word extends 'axes'
    ? 'axis'
    : Word extends `${string}${'move' | 'zombie' | 'database' | 'shoe' | 'movie' | 'tive' | 'hive'}s`
      ? Stem
      : Word extends `oxen${infer Rest}`
        ? `ox${Rest}`
        : Word extends `${infer Start}ies`
          ? Start extends `${string}qu`
            ? `${Start}y`
            : Start extends '' | `${string}${'a' | 'e' | 'i' | 'o' | 'u' | 'y'}`
              ? Stem
              : `${Start}y`
          : Word extends `${infer Start}ves`
            ? Start extends `${string}${'l' | 'r'}`
              ? `${Start}f`
              : Start extends '' | `${string}f`
                ? Stem
                : `${Start}fe`
            : Word extends `${infer Start}es`
              ? SingularOfEs<Start>
              : Stem
type SingularOfEs<Start> = Start extends `${infer Stem}quizz`
  ? `${Stem}quiz`
  : Start extends `${infer Stem}matric`
    ? `${Stem}matrix`
    : Start extends `${infer Stem extends `${string}${'vert' | 'ind'}`}ic`
      ? `${Stem}ex`
      : Start extends `${string}${'cris' | 'test' | Analysis}`
        ? `${Start}is`
        : Start extends `${string}${'alias' | 'status' | 'bus' | 'o' | 'x' | 'ch' | 'ss' | 'sh'}`
          ? Start
          : `${Start & string}e`
type Analysis = `${'analy' | 'ba' | 'diagno' | 'parenthe' | 'progno' | 'synop' | 'the'}s`

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
