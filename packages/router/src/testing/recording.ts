import { pointerTo, stepsOf } from '../changes/json-pointer.ts'

/** A response of a released version. */
export interface RecordedResponse {
  readonly status: number
  /** The headers that belong to the contract, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON, else text. Bytes that are not UTF-8 are a hash of them: `<7 bytes, sha-256 …>`. */
  readonly body: unknown
}

/** The responses to a script, by name of the request. Plain JSON, so a file can keep it. */
export type Recording = Readonly<Record<string, RecordedResponse>>

/**
 * Compares the responses of a released version with those of today.
 *
 * @returns one line per difference, also for a request that only one of them has
 * @example differences(released, now) // ['login: /body/id was 1, is 2']
 */
export const differences = (released: Recording, now: Recording): readonly string[] => [
  ...Object.entries(released).flatMap(([name, before]) =>
    Object.hasOwn(now, name)
      ? compare(before, now[name], '').map((difference) => `${name}: ${difference}`)
      : [`${name}: the request is missing`],
  ),
  ...Object.keys(now).flatMap((name) =>
    Object.hasOwn(released, name) ? [] : [`${name}: the request is new`],
  ),
]

function compare(before: unknown, after: unknown, pointer: string): readonly string[] {
  if (before === undefined) return [`${pointer} is new: ${JSON.stringify(after)}`]
  if (after === undefined) return [`${pointer} was ${JSON.stringify(before)}, is missing`]
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after))
    return Object.is(before, after)
      ? []
      : [`${pointer} was ${JSON.stringify(before)}, is ${JSON.stringify(after)}`]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    compare(valueAt(before, key), valueAt(after, key), pointer + pointerTo([key])),
  )
}

/**
 * Replaces values by their types: `<string>`. A change of the type still shows.
 *
 * @param pointers - JSON Pointers (RFC 6901); `*` means every element
 */
export const maskValues = (body: unknown, pointers: readonly string[]): unknown =>
  pointers.reduce((masked, pointer) => mask(masked, stepsOf(pointer)), body)

function mask(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined)
    return `<${value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value}>`
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [
    key,
    step === '*' || step === key ? mask(inner, rest) : inner,
  ])
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const valueAt = (value: object, key: string): unknown =>
  Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined
