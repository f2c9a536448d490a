import inflect from 'pluralize'

/** Where Rails says otherwise than `pluralize`. A map here, because the package's own rules are global. */
const exceptions: Record<string, string> = { media: 'medium', bases: 'basis' }

export const singularize = (word: string): string => {
  const last = /[^_-]*$/.exec(word)![0]
  return word.slice(0, word.length - last.length) + (exceptions[last] ?? inflect.singular(last))
}
export const pluralize = (word: string): string => inflect.plural(word)

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
