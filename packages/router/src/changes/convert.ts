import { type Path, type PathStep, jsonTypeOf } from './find-schema.ts'
import { isObject } from './json-schema.ts'

/** Converts a value of one schema to a value of another one. */
export type Convert = (value: unknown) => unknown

/** What one change does to a value. */
export interface ValueStep {
  /** The change, for error messages. */
  readonly about: string
  /** Whether a value is converted. Any other stays as it is. */
  readonly accepts: (value: unknown) => boolean
  readonly convert: Convert
}

/**
 * Creates the function that converts the values at some paths. It copies what it changes, and
 * doesn't create values that are missing.
 *
 * @param steps - what each of the values goes through, in this order
 */
export function convertAll(paths: readonly Path[], steps: readonly ValueStep[]): Convert {
  const conversions = paths.map((path) => {
    const isElement = path.findLast(({ to }) => !to.startsWith('itself'))?.to === 'elements'
    const convertValue: Convert = (value) => {
      let converted = value
      for (const { about, accepts, convert } of steps) {
        if (converted === undefined) return undefined
        const plain = toPlain(converted)
        if (!accepts(plain)) continue
        converted = convert(plain)
        if (converted === undefined && isElement)
          // JSON would have null in its place
          throw new Error(`the change '${about}' converts an element of a list to undefined`)
      }
      return converted
    }
    return path.reduceRight((inner, step) => convertBehind(step, inner), convertValue)
  })
  return (value) => conversions.reduce((converted, next) => next(converted), value)
}

/** Converts the values behind a step with `inner`, and returns the value that contains them. */
function convertBehind(step: PathStep, inner: Convert): Convert {
  switch (step.to) {
    case 'itself-if-type':
      return (value) => (step.types.includes(jsonTypeOf(toPlain(value))) ? inner(value) : value)
    case 'itself-if-tagged':
      return mapObject((plain) => (step.values.includes(plain[step.tag]) ? inner(plain) : plain))
    case 'itself-keeping':
      return mapObject((plain) => {
        const converted = inner(plain)
        if (!isObject(converted)) return converted
        const kept = Object.entries(copyOf(plain)).filter(([name]) => step.names.includes(name))
        return { ...Object.fromEntries(kept), ...converted }
      })
    case 'property': {
      const { name } = step
      // Every object inherits `constructor` and `toString`, which aren't properties of the schema.
      const inherited = (Object.prototype as unknown as Plain)[name]
      return mapObject((plain) =>
        plain[name] === inherited ? plain : { ...copyOf(plain), [name]: inner(plain[name]) },
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
      const { from, until } = step
      const convertElement = (element: unknown, index: number): unknown =>
        index < from || index >= until ? element : inner(element)
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
 * Copies an object with the getters of its class, which a serializer that has a schema also reads.
 */
function copyOf(value: Plain): Record<string, unknown> {
  const copy = { ...value }
  let prototype: unknown = Object.getPrototypeOf(value)
  while (prototype !== null && prototype !== Object.prototype) {
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (get !== undefined && !(name in copy)) copy[name] = value[name]
    prototype = Object.getPrototypeOf(prototype)
  }
  return copy
}

/**
 * What JSON.stringify would make of a database library's document. A Date stays: its schema says
 * whether it's one.
 */
function toPlain(value: unknown): unknown {
  const { toJSON } = (value ?? {}) as { readonly toJSON?: unknown }
  return typeof toJSON === 'function' && !(value instanceof Date)
    ? (toJSON.call(value) as unknown)
    : value
}
