import { type Path, type PathStep, jsonTypeOf } from './find-schema.ts'
import { isObject } from './json-schema.ts'

/** Converts a value of one schema to a value of another one. */
export type Convert = (value: unknown) => unknown

/**
 * Creates the function that converts the values at some paths. It copies what it changes, and
 * doesn't create values that are missing.
 *
 * @param about - the change, for error messages
 */
export function convertAll(paths: readonly Path[], convert: Convert, about: string): Convert {
  const convertValue: Convert = (value) =>
    value === undefined ? undefined : convert(toPlain(value))
  const conversions = paths.map((path) =>
    path.reduceRight((inner, step) => convertBehind(step, inner, about), convertValue),
  )
  return (value) => conversions.reduce((converted, next) => next(converted), value)
}

/** Converts the values behind a step with `inner`, and returns the value that contains them. */
function convertBehind(step: PathStep, inner: Convert, about: string): Convert {
  switch (step.to) {
    case 'itself-if-type': {
      const isType = Object.fromEntries(step.types.map((type) => [type, true]))
      return (value) => (isType[jsonTypeOf(toPlain(value))] === true ? inner(value) : value)
    }
    case 'itself-if-tagged':
      return mapObject((plain) => (step.values.includes(plain[step.tag]) ? inner(plain) : plain))
    case 'itself-keeping':
      return mapObject((plain) => {
        const converted = inner(plain)
        if (!isObject(converted)) return converted
        const kept = Object.entries(withGetters(plain)).filter(([name]) =>
          step.names.includes(name),
        )
        return { ...Object.fromEntries(kept), ...converted }
      })
    case 'property': {
      const { name } = step
      // Every object inherits `constructor` and `toString`, which aren't properties of the schema.
      const inherited = (Object.prototype as unknown as Plain)[name]
      return mapObject((plain) =>
        plain[name] === inherited ? plain : { ...withGetters(plain), [name]: inner(plain[name]) },
      )
    }
    case 'properties': {
      const pattern = new RegExp(step.pattern, 'u')
      const applies = (name: string): boolean => pattern.test(name) && !step.except.includes(name)
      return mapObject((plain) =>
        Object.fromEntries(
          Object.entries(plain).map(([name, value]) => [
            name,
            applies(name) ? inner(value) : value,
          ]),
        ),
      )
    }
    case 'elements': {
      const convertElement = (element: unknown, index: number): unknown => {
        if (index < step.from || index >= step.until) return element
        const converted = inner(element)
        if (converted !== undefined || element === undefined) return converted
        // JSON would have null in its place.
        throw new Error(`the change '${about}' converts an element of a list to undefined`)
      }
      return (value) => (Array.isArray(value) ? value.map(convertElement) : value)
    }
  }
}

type Plain = Readonly<Record<string, unknown>>

const mapObject =
  (map: (plain: Plain) => unknown): Convert =>
  (value) => {
    const plain = toPlain(value)
    return isObject(plain) ? map(plain) : value
  }

/**
 * Copies an instance together with its class's getters, because Fastify's serializer reads those as
 * well.
 */
function withGetters(value: Plain): Plain {
  let prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype) return value // nearly always
  const copy: Record<string, unknown> = { ...value }
  while (prototype !== null && prototype !== Object.prototype) {
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (get !== undefined && !(name in copy)) copy[name] = value[name]
    prototype = Object.getPrototypeOf(prototype)
  }
  return copy
}

/**
 * Turns a database library's document into what JSON.stringify would write. A Date stays one,
 * because schemas can have dates.
 */
function toPlain(value: unknown): unknown {
  const { toJSON } = (value ?? {}) as { readonly toJSON?: unknown }
  return typeof toJSON === 'function' && !(value instanceof Date)
    ? (toJSON.call(value) as unknown)
    : value
}
