// Rails' inflections in types, as `compile/inflect.ts` has them at run time.

/** Words of the pattern lose one ending and get another. Of several rules, the first that matches applies. */
type Rules = readonly (readonly [pattern: string, lost: string, added: string])[]

type Inflect<Word, AllRules extends Rules> = AllRules extends readonly [
  readonly [infer Pattern, infer Lost extends string, infer Added extends string],
  ...infer Others extends Rules,
]
  ? Word extends Pattern
    ? Word extends `${infer Stem}${Lost}`
      ? `${Stem}${Added}`
      : never
    : Inflect<Word, Others>
  : Word

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
type Unchanged = Uncountable | `${string}-${Uncountable}`
type Vowel = 'a' | 'e' | 'i' | 'o' | 'u' | 'y'
type Analysis = `${'analy' | 'ba' | 'diagno' | 'parenthe' | 'progno' | 'synop' | 'the'}s`

type Singulars = [
  [Unchanged | 'axis' | `${string}${'crisis' | 'testis' | 'series' | 'news' | `${Analysis}is`}`, '', ''],
  [`${string}${'alias' | 'status' | 'octopus' | 'virus' | 'bus' | 'ss'}`, '', ''],
  [`${string}people`, 'eople', 'erson'],
  [`${string}men`, 'en', 'an'],
  [`${string}children`, 'ren', ''],
  [`${string}${'move' | 'zombie' | 'database' | 'shoe' | 'movie' | 'tive' | 'hive'}s`, 's', ''],
  [`${string}quizzes`, 'zes', ''],
  [`${string}matrices`, 'ces', 'x'],
  [`${string}${'vert' | 'ind'}ices`, 'ices', 'ex'],
  [`${string}${'octop' | 'vir'}i`, 'i', 'us'],
  ['axes' | `${string}${'cris' | 'test' | Analysis}es`, 'es', 'is'],
  [`${string}${'alias' | 'status' | 'bus' | 'o' | 'x' | 'ch' | 'ss' | 'sh'}es`, 'es', ''],
  ['mice' | 'lice', 'ice', 'ouse'],
  [`${string}quies`, 'ies', 'y'],
  ['ies' | `${string}${Vowel}ies`, 's', ''],
  [`${string}ies`, 'ies', 'y'],
  [`${string}${'l' | 'r'}ves`, 'ves', 'f'],
  ['ves' | `${string}fves`, 's', ''],
  [`${string}ves`, 'ves', 'fe'],
  [`${string}${'t' | 'i'}a`, 'a', 'um'],
  [`${string}s`, 's', ''],
]

type Plurals = [
  [Unchanged | 'oxen' | 'mice' | 'lice', '', ''],
  [`${string}${'people' | 'men' | 'children' | 'ta' | 'ia' | 'octopi' | 'viri'}`, '', ''],
  [`${string}person`, 'erson', 'eople'],
  [`${string}man`, 'an', 'en'],
  [`${string}child`, '', 'ren'],
  [`${string}quiz`, '', 'zes'],
  ['ox', '', 'en'],
  ['mouse' | 'louse', 'ouse', 'ice'],
  [`${string}${'matr' | 'vert' | 'ind'}ix`, 'ix', 'ices'],
  [`${string}${'matr' | 'vert' | 'ind'}ex`, 'ex', 'ices'],
  [`${string}${'x' | 'ch' | 'ss' | 'sh' | 'buffalo' | 'tomato' | 'bus' | 'alias' | 'status'}`, '', 'es'],
  [`${string}quy`, 'y', 'ies'],
  ['y' | `${string}${Vowel}y`, '', 's'],
  [`${string}y`, 'y', 'ies'],
  ['fe' | `${string}ffe`, '', 's'],
  [`${string}fe`, 'fe', 'ves'],
  [`${string}${'l' | 'r'}f`, 'f', 'ves'],
  ['axis' | 'testis' | `${string}sis`, 'is', 'es'],
  [`${string}${'t' | 'i'}um`, 'um', 'a'],
  [`${string}${'octop' | 'vir'}us`, 'us', 'i'],
  [`${string}s`, '', ''],
  [string, '', 's'],
]

/** The plural, as the run-time inflector gives it: it is the controller key of `resource`. */
export type Plural<Word> = Inflect<Word, Plurals>

/** The singular, as the run-time inflector gives it: route names and `post_id` contain it. `string` where it is not known. */
export type Singular<Word> =
  Lowercase<Word & string> extends Irregular
    ? InAnyCase<Word>
    : Word extends `${infer Stem}s`
      ? Stem
      : Word extends `${string}S`
        ? string
        : Word
/** Words whose singular may be more than the word without its `s`: most words need no rule. */
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
type SingularOf<Word> = Word extends `oxen${infer Rest}` ? `ox${Rest}` : Inflect<Word, Singulars>
