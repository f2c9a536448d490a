type Path = readonly PropertyKey[]

/** More values than this are not searched. */
const maxValues = 1000

/**
 * Creates the function that says why a converted value was refused, in the words of the older version: at the place that the
 * refused value came from. When that place cannot be told, it names the change.
 *
 * @param about - the change
 * @param older - the value as the older client sent it
 * @param converted - the value that was refused
 */
export function createOlderWords(
  about: string,
  older: unknown,
  converted: unknown,
): (path: Path, message: string) => { readonly path: Path; readonly message: string } {
  const places = placesIn(older)
  return (path, message) => {
    const refused = valueAt(converted, path)
    if (isTraceable(refused)) {
      const place = valueAt(older, path) === refused ? path : places.get(refused)
      if (place) return { path: place, message }
    }
    return {
      path: [],
      message: `is rejected after the change '${about}': ${[...path, message].map(String).join(' ')}`,
    }
  }
}

/** A conversion passes these on as they are. What is said about an object may name properties of the newer version. */
const isTraceable = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || Array.isArray(value)

/** Where each value stands; null for one that stands in several places. */
function placesIn(older: unknown): ReadonlyMap<unknown, Path | null> {
  const places = new Map<unknown, Path | null>()
  const values: (readonly [unknown, Path])[] = [[older, []]]
  for (const [value, path] of values) {
    if (values.length > maxValues) return new Map()
    if (isTraceable(value)) places.set(value, places.has(value) ? null : path)
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value))
      values.push([inner, [...path, Array.isArray(value) ? Number(key) : key]])
  }
  return places
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce(
    (at, key) => (typeof at === 'object' && at !== null ? at[key as never] : undefined),
    value,
  )
