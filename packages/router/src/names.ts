import inflect from 'pluralize'

// Route names are Rails' names. Where Rails and `pluralize` know an irregular word differently, Rails' form stands here,
// also where it is no English (`criterium`); where Rails cuts a regular plural wrongly (`waves`, `campuses`), English does.
// Maps of ours, because the package's own rules are global: `singular` and `as` of a resource are for all other words.

const singulars = new Map(
  Object.entries({
    media: 'medium',
    bases: 'basis',
    basis: 'basis',
    axes: 'axis',
    axis: 'axis',
    emphasis: 'emphasis',
    octopi: 'octopus',
    stadia: 'stadium',
    aquaria: 'aquarium',
    gymnasia: 'gymnasium',
    premia: 'premium',
    equilibria: 'equilibrium',
    criteria: 'criterium',
    buffaloes: 'buffalo',
    miniseries: 'miniseries',
    excuses: 'excuse',
    sagas: 'saga',
    leaves: 'leafe',
    loaves: 'loafe',
    thieves: 'thiefe',
    appendices: 'appendice',
    automata: 'automatum',
    schemata: 'schematum',
    stigmata: 'stigmatum',
  }),
)
/** Plurals that Rails does not take for any. */
const unchanged =
  'geese teeth feet dice cacti foci fungi nuclei radii stimuli syllabi alumni phenomena curricula vertebrae addenda'
for (const word of unchanged.split(' ')) singulars.set(word, word)

const plurals = new Map(
  Object.entries({
    medium: 'media',
    octopus: 'octopi',
    stadium: 'stadia',
    buffalo: 'buffaloes',
    money: 'money',
    goose: 'gooses',
    tooth: 'tooths',
    foot: 'foots',
    leaf: 'leafs',
    loaf: 'loafs',
    thief: 'thiefs',
    criterion: 'criterions',
    schema: 'schemas',
    staff: 'staffs',
    agenda: 'agendas',
    deer: 'deers',
    aircraft: 'aircrafts',
  }),
)

/** The last word of a compound decides: `user_media`, `line-items`. */
const inflectLast = (text: string, inflect: (word: string) => string): string => {
  const last = /[^_-]*$/.exec(text)![0]
  return text.slice(0, text.length - last.length) + inflect(last)
}
export const singularize = (text: string): string =>
  inflectLast(text, (word) => singulars.get(word) ?? inflect.singular(word))
export const pluralize = (text: string): string =>
  inflectLast(text, (word) => plurals.get(word) ?? inflect.plural(word))

/** A name of a route is a word, or there is none: Rails drops the others too. */
export const routeName = (parts: readonly string[]): string | null => {
  const name = parts.filter(Boolean).join('_')
  return /^_?[a-z]\w*$/i.test(name) ? name : null
}

// The same in types, as far as letters alone are certain; `string` where only the dictionary knows.

type Uncertain =
  | 'news'
  | 'jeans'
  | 'analytics'
  | `${'d' | 'r' | 't'}ices`
  | `${'i' | 'u' | 's' | 'a' | 'n'}s`
  | `${'ie' | 'se' | 'xe' | 'ze' | 'he' | 'oe' | 've'}s`
export type Singular<Word> = Word extends `${string}${Uncertain}`
  ? string
  : Word extends `${infer Stem}s`
    ? Stem
    : string
export type Plural<Word> = Word extends `${string}${'s' | 'x' | 'z' | 'ch' | 'sh'}`
  ? `${Word}es`
  : Word extends `${string}${'a' | 'e' | 'o' | 'u'}y`
    ? `${Word}s`
    : Word extends `${infer Stem}y`
      ? `${Stem}ies`
      : `${Word & string}s`
