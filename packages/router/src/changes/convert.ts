import { type Path, type Step, jsonTypeOf } from './find-schema.ts'
import { isObject } from './json-schema.ts'

/** Converts a value of one schema to a value of another one. */
export type Convert = (value: unknown) => unknown

/**
 * Creates the function that converts the values at some paths. It copies what it changes, and leaves a missing value out.
 *
 * @param convertsNull - whether null is converted, or stays
 * @param about - the change, for the text of errors
 */
export function convertAll(
  paths: readonly Path[],
  convert: Convert,
  convertsNull: boolean,
  about: string,
): Convert {
  const convertValue: Convert = (value) =>
    value === undefined || (value === null && !convertsNull) ? value : convert(toPlain(value))
  const all = paths.map((path) =>
    path.reduceRight((inner, step) => applyStep(inner, step, about), convertValue),
  )
  return (value) => all.reduce((now, next) => next(now), value)
}

function applyStep(inner: Convert, step: Step, about: string): Convert {
  if ('types' in step)
    return (value) => (step.types.includes(jsonTypeOf(toPlain(value))) ? inner(value) : value)
  if ('discriminator' in step)
    return mapObject((plain) =>
      step.values.includes(plain[step.discriminator]) ? inner(plain) : plain,
    )
  if ('until' in step) {
    const { from, until } = step
    const convertElement: Convert = (element) => {
      const converted = inner(element)
      if (converted !== undefined || element === undefined) return converted
      throw new Error(`the change '${about}' converts an element of a list to undefined`) // JSON would have null
    }
    return (value) =>
      Array.isArray(value)
        ? value.map((one, index) => (from <= index && index < until ? convertElement(one) : one))
        : value
  }
  if ('keep' in step)
    return mapObject((plain) => {
      const converted = inner(plain)
      const kept = Object.entries(copyOf(plain)).filter(([name]) => step.keep.includes(name))
      return isObject(converted) ? { ...Object.fromEntries(kept), ...converted } : converted
    })
  if ('property' in step) {
    const { property } = step
    // Every object inherits `constructor` and `toString`. These are not values of the schema's properties.
    const inherited = (Object.prototype as unknown as Record<string, unknown>)[property]
    return mapObject((plain) =>
      plain[property] === inherited
        ? plain
        : { ...copyOf(plain), [property]: inner(plain[property]) },
    )
  }
  const pattern = new RegExp(step.pattern, 'u')
  const applies = (name: string): boolean => pattern.test(name) && !step.except.includes(name)
  return mapObject((plain) =>
    Object.fromEntries(
      Object.entries(plain).map(([name, one]) => [name, applies(name) ? inner(one) : one]),
    ),
  )
}

const mapObject =
  (map: (plain: Readonly<Record<string, unknown>>) => unknown): Convert =>
  (value) => {
    const plain = toPlain(value)
    return isObject(plain) ? map(plain) : value
  }

/** A serializer that knows the schema also reads the getters of a class. */
function copyOf(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy = { ...value }
  for (
    let at = Object.getPrototypeOf(value);
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  )
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at as object)))
      if (get !== undefined && !(name in copy)) copy[name] = value[name]
  return copy
}

/** What JSON.stringify makes of a document of a database library. A date stays: its schema says whether it is one. */
function toPlain(value: unknown): unknown {
  const { toJSON } = (value ?? {}) as { readonly toJSON?: unknown }
  return typeof toJSON === 'function' && !(value instanceof Date)
    ? (toJSON.call(value) as unknown)
    : value
}
