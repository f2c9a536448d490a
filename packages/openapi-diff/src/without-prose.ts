/** Keywords whose values are only for people. */
export const prose = new Set(
  'summary description title example examples externalDocs $comment tags'.split(' '),
)
/** Objects whose keys are names, because a property may be called `title`. */
export const maps = new Set(
  (
    'x-files paths webhooks variables responses headers content schemas parameters requestBodies securitySchemes links callbacks pathItems mediaTypes encoding ' +
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
  // Documents are large, so this is a loop, which is twice as fast as `flatMap`.
  const entries: (readonly [string, unknown])[] = []
  for (const [key, inner] of Object.entries(value))
    if (isMap) entries.push([key, strip(inner, false)])
    else if (data.has(key)) entries.push([key, inner])
    else if (!prose.has(key)) entries.push([key, strip(inner, maps.has(key))])
  return Object.fromEntries(entries)
}
