// Routes have the same names as in Rails, so this has Rails' rules, even where they aren't English:
// the singular of `criteria` is `criterium`, and that of `waves` is `wafe`. You can correct such
// words with the options `singular` and `as`. The values and the types read the same rules.

/**
 * If a word has one of the endings, some letters are replaced: `people` loses `eople` and gets
 * `erson`. `^` marks a whole word. The first rule that matches applies. If none does, the word
 * stays as it is.
 */
type Rules = readonly (readonly [endings: string, lost: string, added: string])[]

const uncountable =
  '^equipment ^information ^rice ^money ^species ^series ^fish ^sheep ^jeans ^police'

const singulars = [
  [uncountable, '', ''],
  ['people', 'eople', 'erson'],
  ['men', 'en', 'an'],
  ['children', 'ren', ''],
  ['moves zombies databases shoes movies tives hives', 's', ''],
  ['quizzes', 'zes', ''],
  ['matrices', 'ces', 'x'],
  ['vertices indices', 'ices', 'ex'],
  ['^oxen', 'en', ''],
  ['alias status octopus virus bus ^axis crisis testis series news ss', '', ''],
  ['analysis basis diagnosis parenthesis prognosis synopsis thesis', '', ''],
  ['octopi viri', 'i', 'us'],
  [
    '^axes crises testes analyses bases diagnoses parentheses prognoses synopses theses',
    'es',
    'is',
  ],
  ['aliases statuses oes buses xes ches sses shes', 'es', ''],
  ['^mice ^lice', 'ice', 'ouse'],
  ['quies', 'ies', 'y'],
  ['aies eies iies oies uies yies ^ies fves ^ves', 's', ''],
  ['ies', 'ies', 'y'],
  ['lves rves', 'ves', 'f'],
  ['ves', 'ves', 'fe'],
  ['ta ia', 'a', 'um'],
  ['s', 's', ''],
] as const

const plurals = [
  [uncountable, '', ''],
  ['people men children ^oxen ^mice ^lice ta ia octopi viri', '', ''],
  ['person', 'erson', 'eople'],
  ['man', 'an', 'en'],
  ['child', '', 'ren'],
  ['quiz', '', 'zes'],
  ['^ox', '', 'en'],
  ['^mouse ^louse', 'ouse', 'ice'],
  ['matrix vertix indix', 'ix', 'ices'],
  ['matrex vertex index', 'ex', 'ices'],
  ['x ch ss sh buffalo tomato bus alias status', '', 'es'],
  ['quy', 'y', 'ies'],
  ['ay ey iy oy uy yy ^y ffe ^fe', '', 's'],
  ['y', 'y', 'ies'],
  ['fe', 'fe', 'ves'],
  ['lf rf', 'f', 'ves'],
  ['^axis ^testis sis', 'is', 'es'],
  ['tum ium', 'um', 'a'],
  ['octopus virus', 'us', 'i'],
  ['s', '', ''],
  ['', '', 's'],
] as const

const createInflector = (rules: Rules): ((word: string) => string) => {
  const patterns = rules.map(([endings]) => new RegExp(`(?:${endings.replaceAll(' ', '|')})$`, 'i'))
  return (word) => {
    const [, lost, added] = rules[patterns.findIndex((pattern) => pattern.test(word))] ?? [
      '',
      '',
      '',
    ]
    return word.slice(0, word.length - lost.length) + added
  }
}
/** Returns a word's singular, by Rails' rules. */
export const singularize = /* @__PURE__ */ createInflector(singulars)
/** Returns a word's plural, by Rails' rules. */
export const pluralize = /* @__PURE__ */ createInflector(plurals)

/** A word's singular. It's `string` if the word is unknown, or if its upper-case letters matter. */
export type Singular<Word> = Inflected<Word, typeof singulars>
/** A word's plural, or `string`, as for {@link Singular}. */
export type Plural<Word> = Inflected<Word, typeof plurals>

type Inflected<Word, AllRules extends Rules> = {} extends { [_ in Word & string]: unknown }
  ? string
  : Inflect<Word & string, Lowercase<Word & string>, AllRules>
type Inflect<Word extends string, Lower, AllRules extends Rules> = AllRules extends readonly [
  readonly [infer Endings, infer Lost extends string, infer Added extends string],
  ...infer Others extends Rules,
]
  ? Lower extends Pattern<Endings>
    ? Word extends `${infer Stem}${Lost}`
      ? `${Stem}${Added}`
      : string
    : Inflect<Word, Lower, Others>
  : Word
type Pattern<Endings> = Endings extends `${infer Ending} ${infer Others}`
  ? Pattern<Ending> | Pattern<Others>
  : Endings extends `^${infer Word}`
    ? Word
    : `${string}${Endings & string}`
