// Route names equal those of Rails, so the inflections are those of Rails, including the ones that are not English:
// `criteria` gives `criterium`, `waves` gives `wafe`. The options `singular` and `as` correct such words.
// A rule replaces an ending. The first rule that matches applies.

type Rules = readonly (readonly [ending: RegExp, replacement: string])[]

const rules = (text: string): Rules =>
  text.split(/\s+/).map((rule) => {
    const [ending, replacement] = rule.split('>') as [string, string]
    return [new RegExp(`${ending}$`, 'i'), replacement]
  })

const uncountable = /(?:^|\W)(?:equipment|information|rice|money|species|series|fish|sheep|jeans|police)$/i

const singulars = rules(
  `(p)eople>$1erson (m)en>$1an (c)hildren>$1hild (m)oves>$1ove (z)ombies>$1ombie
  (database)s>$1 (quiz)zes>$1 (matr)ices>$1ix (vert|ind)ices>$1ex ^(ox)en(.*)>$1$2 (alias|status)(?:es)?>$1
  (octop|vir)(?:us|i)>$1us ^(a)x[ie]s>$1xis (cris|test)(?:is|es)>$1is (shoe)s>$1 (o)es>$1 (bus)(?:es)?>$1
  ^([ml])ice>$1ouse (x|ch|ss|sh)es>$1 (movie)s>$1 (series)>$1 ([^aeiouy]|qu)ies>$1y ([lr])ves>$1f
  (tive|hive)s>$1 ([^f])ves>$1fe ((?:^analy)|(?:analy|ba|diagno|parenthe|progno|synop|the))s[ie]s>$1sis
  ([ti])a>$1um (n)ews>$1ews (ss)>$1 s>`,
)
const plurals = rules(
  `(p)(?:erson|eople)>$1eople (m)[ae]n>$1en (c)hild(?:ren)?>$1hildren
  (quiz)>$1zes ^(ox)(?:en)?>$1en ^([ml])(?:ouse|ice)>$1ice (matr|vert|ind)(?:ix|ex)>$1ices
  (x|ch|ss|sh)>$1es ([^aeiouy]|qu)y>$1ies (?:([^f])fe|([lr])f)>$1$2ves sis>ses ([ti])a>$1a ([ti])um>$1a
  (buffal|tomat)o>$1oes (bus)>$1es (alias|status)>$1es ((?:octop|vir)i)>$1 (octop|vir)us>$1i ^(ax|test)is>$1es
  s>s (.?)>$1s`,
)

const inflect = (text: string, candidates: Rules): string => {
  const rule = uncountable.test(text) ? undefined : candidates.find(([ending]) => ending.test(text))
  return rule === undefined ? text : text.replace(...rule)
}
/** The singular of a word, by Rails' rules. */
export const singularize = (text: string): string => inflect(text, singulars)
/** The plural of a word, by Rails' rules. */
export const pluralize = (text: string): string => inflect(text, plurals)
