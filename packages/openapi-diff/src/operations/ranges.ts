// Statuses and media types are described by themselves, or by ranges that include them.

/** What may describe a status, the most specific first. */
export const statusRanges = (status: string): readonly string[] => [
  status,
  `${status[0]}XX`,
  'default',
]

/** What may describe a media type, the most specific first. */
export const typeRanges = (type: string): readonly string[] => [
  type,
  `${type.split('/', 1)[0]}/*`,
  '*/*',
]

/** The key that describes what these ranges are of. */
export const nearest = (
  keys: ReadonlyMap<string, unknown>,
  ranges: readonly string[],
): string | undefined => ranges.find((range) => keys.has(range))
