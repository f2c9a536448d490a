/** Keywords that only people read. */
export const prose = new Set(
  'summary description title example examples externalDocs $comment tags'.split(' '),
)
/** Objects whose keys are names, because a property may be called `title`. */
export const maps = new Set(
  (
    'x-files paths webhooks variables responses headers content schemas parameters requestBodies securitySchemes links callbacks pathItems encoding ' +
    'mapping properties patternProperties dependentSchemas dependentRequired dependencies $defs definitions'
  ).split(' '),
)
/** Values that are data or, in `security`, names. Nothing in them is prose. */
export const data = new Set(['enum', 'const', 'default', 'security'])

/** An OpenAPI document without the texts that people read: descriptions, titles, examples, tags. */
export const withoutProse = <Document extends object>(document: Document): Document =>
  strip(document, false) as Document

function strip(value: unknown, isMap: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((element) => strip(element, false))
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (isMap) return [[key, strip(inner, false)]]
      if (prose.has(key)) return []
      return [[key, data.has(key) ? inner : strip(inner, maps.has(key))]]
    }),
  )
}
