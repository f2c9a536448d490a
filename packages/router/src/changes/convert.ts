import { jsonTypeOf } from './value-types.ts'
import { isObject, mapValues } from '../objects.ts'

/** One step from a value down to values in it, or on to the value itself if it passes a test. */
export type PathStep =
  | { readonly to: 'property'; readonly name: string }
  /** The elements from an index up to, but not including, a second index. */
  | { readonly to: 'elements'; readonly from: number; readonly until: number }
  /** All properties that match a pattern, except those with these names. */
  | { readonly to: 'properties'; readonly pattern: string; readonly except: readonly string[] }
  /** The value itself, if it has one of these JSON types. */
  | { readonly to: 'itself-if-type'; readonly types: readonly string[] }
  /** The value itself, if its tag, such as `kind`, has one of these values. */
  | { readonly to: 'itself-if-tagged'; readonly tag: string; readonly values: readonly unknown[] }
  /**
   * The value itself, but these properties stay unchanged, because other schemas of `allOf`
   * describe them.
   */
  | { readonly to: 'itself-keeping'; readonly names: readonly string[] }

/**
 * The steps from a value down to those that a schema describes. In `{ items: User[] }`, the path to
 * users is the property `items`, then its elements.
 */
export type Path = readonly PathStep[]

/** The head of a response on its way to an older version. */
export interface OlderHead {
  status: number
  readonly headers: (readonly [name: string, value: string])[]
}
/**
 * Converts a value of one schema to a value of another one. For a response, it may also change the
 * head.
 */
export type Convert = (value: unknown, head?: OlderHead) => unknown

/** How a change converts values. */
export interface Conversion {
  /** The change, for error messages. */
  readonly about: string
  /** The JSON types of the values that it converts. */
  readonly types: readonly string[]
  readonly convert: Convert
}

/**
 * Creates the function that applies conversions, one after the other, to the values at some paths.
 * It copies what it changes, and doesn't create values that are missing.
 */
export function convertAll(paths: readonly Path[], conversions: readonly Conversion[]): Convert {
  const walks = paths.map((path) => {
    const last = path.findLast(({ to }) => !to.startsWith('itself'))
    const convertValue: Convert = (value, head) => {
      let converted = value
      for (const { about, types, convert } of conversions) {
        const plain = toPlain(converted)
        if (!types.includes(jsonTypeOf(plain))) continue
        converted = convert(plain, head)
        // JSON.stringify would write null for it.
        if (converted === undefined && last?.to === 'elements')
          throw new Error(`the change '${about}' converts an element of a list to undefined`)
      }
      return converted
    }
    return path.reduceRight<Convert>((inner, step) => convertBehind(step, inner), convertValue)
  })
  return (value, head) => walks.reduce((converted, walk) => walk(converted, head), value)
}

/** Converts the values behind a step with `inner`, and returns the value that contains them. */
function convertBehind(step: PathStep, inner: Convert): Convert {
  switch (step.to) {
    case 'itself-if-type':
      return (value, head) =>
        step.types.includes(jsonTypeOf(toPlain(value))) ? inner(value, head) : value
    case 'itself-if-tagged':
      return mapObject((plain, head) =>
        step.values.includes(plain[step.tag]) ? inner(plain, head) : plain,
      )
    case 'itself-keeping':
      return mapObject((plain, head) => {
        const converted = inner(plain, head)
        if (!isObject(converted)) return converted
        const kept = Object.entries(withGetters(plain)).filter(([name]) =>
          step.names.includes(name),
        )
        return { ...Object.fromEntries(kept), ...converted }
      })
    case 'property': {
      const { name } = step
      // A missing property stays missing. For a name such as `constructor`, that means the value
      // that every object inherits.
      const inherited = (Object.prototype as unknown as Plain)[name]
      return mapObject((plain, head) =>
        plain[name] === inherited
          ? plain
          : { ...withGetters(plain), [name]: inner(plain[name], head) },
      )
    }
    case 'properties': {
      const pattern = new RegExp(step.pattern, 'u')
      const applies = (name: string) => pattern.test(name) && !step.except.includes(name)
      return mapObject((plain, head) =>
        mapValues(plain, (value, name) => (applies(name) ? inner(value, head) : value)),
      )
    }
    case 'elements':
      return (value, head) =>
        Array.isArray(value)
          ? value.map((element: unknown, index) =>
              index >= step.from && index < step.until ? inner(element, head) : element,
            )
          : value
  }
}

type Plain = Readonly<Record<string, unknown>>

const mapObject =
  (map: (plain: Plain, head?: OlderHead) => unknown): Convert =>
  (value, head) => {
    const plain = toPlain(value)
    return isObject(plain) ? map(plain, head) : value
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
