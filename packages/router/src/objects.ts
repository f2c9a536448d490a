/** Whether a value is an object with properties: not null, and not a list. */
export const isObject = (value: unknown): value is { readonly [property: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is an object of any kind, which includes lists and functions. */
export const isAnyObject = (value: unknown): value is object => Object(value) === value

/** Copies an object, with what `map` returns in place of each value. */
export const mapValues = <Value, Mapped>(
  object: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Mapped,
): Record<string, Mapped> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]))
