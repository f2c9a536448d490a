import type { Comparison, SharedPlace } from '../finding.ts'
import { type Json, type Node, groupBy, isEqual } from '../json.ts'
import { type Form, shown } from '../schemas/gap.ts'
import { propertyOf } from '../schemas/shape.ts'
import { child, childrenOf } from './list-operations.ts'

/** Compares the media types of a body. */
export function compareContent(place: SharedPlace, comparison: Comparison): void {
  const { direction, where } = place
  const older = entriesIn(place.before)
  const newer = entriesIn(place.after)
  const described = groupBy([...newer.keys()], (key) => nearest(older, typeRanges(key)) ?? '')
  for (const [olderKey, [type, before]] of older) {
    const keys = described.get(olderKey) ?? []
    // A client sends one media type, which the nearest entry has to describe. The API may send any
    // of the media types that a range includes.
    const home = direction === 'request' ? nearest(newer, typeRanges(olderKey)) : keys[0]
    if (home === undefined) {
      const lost = { direction, before, after: null, where: `${where}:` }
      comparison.report(lost, 'lost-media-type', `${type} is gone`)
      continue
    }
    for (const key of new Set([home, ...keys])) {
      const [newerType, after] = newer.get(key)!
      const types = [type, direction === 'request' ? type : newerType] as const
      const media = { direction, before, after, where: `${where}:` }
      compareMedia(types, media, comparison)
    }
  }
}

const entriesIn = (body: Node) =>
  new Map(childrenOf(body, 'content').map((entry) => [typeKey(entry[0]), entry]))

/** Compares an entry's encoding and schema. */
function compareMedia(
  types: readonly [before: string, after: string],
  place: SharedPlace,
  { report, compareSchemas, meansTheSame }: Comparison,
) {
  const { before, after } = place
  const [type] = types
  const isText = /^application\/x-www-form-urlencoded/i.test(type)
  let form: Form = 'json'
  if (isText) form = after.value['encoding'] === undefined ? 'query' : 'text'
  else if (/[/+]xml\b/i.test(type)) form = 'xml'
  // OpenAPI ignores the encoding of other bodies. The elements of a stream, such as
  // `text/event-stream`, have an itemSchema in OpenAPI 3.2.
  const parts = ['itemSchema']
  if (isText || /^multipart\//i.test(type)) parts.push('encoding')
  const inSchema = { ...place, before: child(before, 'schema'), after: child(after, 'schema') }
  const closed = [inSchema.before, inSchema.after].filter(
    ({ value }) => value['additionalProperties'] === false,
  )
  for (const part of parts) {
    const [older, newer] = [before, after].map(({ value }) =>
      value[part] === false ? { not: {} } : (value[part] as Json | undefined),
    )
    // If a closed object doesn't have the field, it isn't sent, so its encoding doesn't matter.
    const differing = Object.keys({ ...older, ...newer }).filter(
      (name) =>
        (part !== 'encoding' ||
          closed.every(({ value }) => propertyOf(value, name) !== undefined)) &&
        (older?.[name] !== newer?.[name] || !meansTheSame({ [name]: older?.[name] })),
    )
    if (differing.length === 0) continue
    report(
      { ...place, before: child(before, part), after: child(after, part) },
      'unclear-change',
      `${type} has another ${part}: ${shown(differing)}`,
    )
  }
  const [olderSchema, newerSchema] = [before, after].map(({ value: { schema } }, index) => {
    // A body of bytes needs no schema. In JSON, bytes are text.
    const isBytes = !/json|xml|form|[*]/i.test(types[index]!)
    return isBytes && isEqual(schema ?? {}, {}) ? { type: 'string' } : schema
  })
  compareSchemas({ ...inSchema, olderSchema, newerSchema, form })
}

const maxParameters = 5

/**
 * A media type in lower case, with sorted parameters (RFC 9110, section 8.3.1), and without JSON's
 * charset, which has no effect (RFC 8259).
 *
 * @example Text/CSV; header="present"; Charset=UTF-8 → text/csv;charset=utf-8;header=present
 */
export function typeKey(type: string): string {
  const [essence = ''] = type.toLowerCase().split(';', 1)
  const parameters: string[] = []
  const written = /;\s*([^\s;=]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g
  for (const [, name, quoted, token] of type.toLowerCase().matchAll(written)) {
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? token!
    const isIgnored = name === 'charset' && /[/+]json\s*$/.test(essence)
    if (!isIgnored) parameters.push(`${name}=${value.replaceAll(';', '%3b')}`)
  }
  return [essence.trim(), ...parameters.toSorted()].join(';')
}

/**
 * The keys that can describe a media type, the most specific first: with any of its parameters, and
 * then ranges (RFC 9110, section 12.5.1).
 */
function typeRanges(type: string) {
  const [essence = '', ...parameters] = type.split(';')
  let endings = ['']
  for (const parameter of parameters.slice(0, maxParameters))
    endings = [...endings.map((ending) => `${ending};${parameter}`), ...endings]
  const ranges = [essence, essence.replace(/\/.*/, '/*'), '*/*']
  return [type, ...ranges.flatMap((range) => endings.map((ending) => range + ending))]
}

/** The most specific of these keys that the map has. */
export const nearest = (
  keys: ReadonlyMap<string, unknown>,
  ranges: readonly string[],
): string | undefined => ranges.find((range) => keys.has(range))
