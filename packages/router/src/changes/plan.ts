import type { ActionSchema, Schema } from '../types/schema.ts'
import type { Became, HeaderBecame, StatusBecame } from './change.ts'
import { type Convert, convertAll } from './convert.ts'
import { Irreversible, type Path, allowedTypes, findSchema, jsonTypes } from './find-schema.ts'
import { guardConversion, guardHeaders } from './guard.ts'
import { isObject } from './json-schema.ts'
import { replaceSchema } from './replace-schema.ts'
import { type ChangeStep, type Replacement, changeError } from './step.ts'

/** The parts of a request that a schema describes. */
export const requestParts: readonly RequestPart[] = ['params', 'querystring', 'headers', 'body']
/** A part of a request that a schema describes. */
export type RequestPart = 'params' | 'querystring' | 'headers' | 'body'

/** What one step of a change means for an action. */
export interface Plan {
  /** The change, if it converts values. */
  readonly about?: string
  /** The schema that the action had before. */
  readonly schema: ActionSchema
  readonly request?: Readonly<Partial<Record<RequestPart, RequestStep>>>
  /** By status: `200`, `2xx`, `default`. Null for a response that stays as it is. */
  readonly response?: Readonly<Record<string, ConvertResponse | null>>
  readonly status?: StatusBecame['status']
  readonly header?: HeaderBecame['header']
}

/** Takes a validated part of a request to the next version. */
export interface RequestStep {
  readonly about: string
  readonly convert: Convert
  /** The part's schema in the next version. The converted value has to match it. */
  readonly schema: Schema
}

/** The head of a response on its way to an older version. */
export interface OlderHead {
  status: number
  readonly headers: (readonly [name: string, value: string])[]
}
/** Takes the body of a response to the version before, and changes its head. */
export type ConvertResponse = (body: unknown, head: OlderHead) => unknown

/**
 * Says why a newer schema refuses what a change made of an older request. The place goes into the
 * text, because the older client doesn't know the newer fields.
 *
 * @example
 * rejectedAfter('A name is a fullName.', ['fullName'], 'must be string')
 * // "is rejected after the change 'A name is a fullName.': fullName must be string"
 */
export const rejectedAfter = (about: string, path: readonly PropertyKey[], message: string) =>
  `is rejected after the change '${about}': ${`${path.map(String).join('/')} ${message}`.trim()}`

/**
 * Plans one step for an action.
 *
 * @param where - the action: `users.index`
 * @returns null for an action that the step doesn't change
 * @throws RouterError HV_CHANGE
 */
export function planOf(where: string, schema: ActionSchema, step: ChangeStep): Plan | null {
  const { declared } = step
  if (declared.only !== undefined && !declared.only.includes(where)) return null
  try {
    if ('newer' in declared) return planOfSchema(schema, declared, step)
    if ('header' in declared) return planOfHeader(schema, declared)
    return planOfStatus(schema, declared as StatusBecame)
  } catch (error) {
    if (!(error instanceof Irreversible)) throw error
    throw changeError(step, where, error.reason, error.hint)
  }
}

function planOfSchema(schema: ActionSchema, became: Became, step: ChangeStep): Plan | null {
  const { about } = step
  const types = allowedTypes(became.newer)
  // The values of a request are older ones, so the newer schema only says whether null is converted.
  const requestTypes = jsonTypes.filter((type) => type !== 'null' || types.includes(type))
  const older: Record<string, unknown> = { ...schema }
  const request: Partial<Record<RequestPart, RequestStep>> = {}
  for (const part of requestParts) {
    const { paths, replaced } = replaceIn(schema[part], became, step)
    if (paths.length === 0) continue
    if (became.up === undefined) throw new Irreversible('no-up')
    const up = guardConversion(step, became.up)
    const convert = convertAll(withTypes(paths, requestTypes), up, about)
    request[part] = { about, convert, schema: schema[part]! }
    older[part] = replaced
  }

  const response: Record<string, ConvertResponse | null> = {}
  const olderResponse: Record<string, Schema> = { ...schema.response }
  for (const [status, body] of Object.entries(schema.response ?? {})) {
    const { paths, replaced } = replaceIn(body, became, step)
    response[status.toLowerCase()] = null
    if (paths.length === 0) continue
    response[status.toLowerCase()] = createConvertResponse(became, step, withTypes(paths, types))
    olderResponse[status] = replaced!
    if (became.status === undefined) continue
    // Older responses with this value have their own status. Other values of a union keep this one.
    if (paths.every((path) => path.length === 0)) delete olderResponse[status]
    olderResponse[became.status] ??= became.older
  }

  const conversions = [...Object.values(request), ...Object.values(response)]
  if (conversions.every((conversion) => conversion === null)) return null
  if (schema.response) older['response'] = olderResponse
  return { about, schema: older, request, response }
}

/** Leaves values of all other JSON types as they are. */
const withTypes = (paths: readonly Path[], types: readonly string[]): readonly Path[] =>
  types.length === jsonTypes.length
    ? paths
    : paths.map((path) => [...path, { to: 'itself-if-type', types }])

function planOfStatus(schema: ActionSchema, { status, only }: StatusBecame): Plan | null {
  const { [status.newer]: body, ...others } = schema.response ?? {}
  if (body === undefined) return only === undefined ? null : { schema, status }
  if (status.older in others)
    throw new Irreversible('status', `Or write became(Older, Newer, { status: ${status.older} })`)
  return { schema: { ...schema, response: { ...others, [status.older]: body } }, status }
}

function planOfHeader(schema: ActionSchema, { header }: HeaderBecame): Plan {
  const others: Record<string, Schema> = {}
  let newer: Schema = { type: 'string' }
  for (const [name, description] of Object.entries(schema.responseHeaders ?? {}))
    if (name.toLowerCase() === header.newer.toLowerCase()) newer = description
    else others[name] = description
  const responseHeaders = header.older === null ? others : { [header.older]: newer, ...others }
  return { schema: { ...schema, responseHeaders }, header }
}

function createConvertResponse(
  became: Became,
  step: ChangeStep,
  paths: readonly Path[],
): ConvertResponse {
  if (became.down === undefined) throw new Irreversible('no-down')
  const down = guardConversion(step, became.down)
  const headersOf = became.headers && guardHeaders(step, became.headers)
  if (headersOf === undefined && became.status === undefined)
    return convertAll(paths, down, step.about)

  let head: OlderHead // of one response at a time, because conversions are synchronous
  const convertWithHead: Convert = (value) => {
    if (value !== null) {
      head.status = became.status ?? head.status
      for (const [name, text] of Object.entries(headersOf?.(value) ?? {}))
        if (text !== undefined) head.headers.push([name, text])
    }
    return down(value)
  }
  const convert = convertAll(paths, convertWithHead, step.about)
  return (body, headOfResponse) => {
    head = headOfResponse
    return convert(body)
  }
}

/**
 * Replaces the newer schema in a part of an action's schema. Fastify has bodies with one schema per
 * media type, `{ content: { 'application/json': { schema } } }`, which all have to change alike.
 */
function replaceIn(part: Schema | undefined, became: Became, step: ChangeStep): Replacement {
  if (!isObject(part) || !isObject(part['content'])) return replaceOnce(part, became, step)
  const content: Record<string, unknown> = {}
  const changed: Replacement['paths'][] = []
  for (const [type, body] of Object.entries(part['content'])) {
    const { schema } = body as { readonly schema?: Schema }
    const { paths, replaced } = replaceOnce(schema, became, step)
    content[type] = paths.length === 0 ? body : { ...(body as object), schema: replaced }
    if (paths.length > 0) changed.push(paths)
  }
  const [paths] = changed
  if (paths === undefined) return { paths: [], replaced: part }
  const text = JSON.stringify(paths)
  if (changed.some((other) => JSON.stringify(other) !== text)) throw new Irreversible('ambiguous')
  return { paths, replaced: { ...part, content } }
}

function replaceOnce(
  schema: Schema | undefined,
  { newer, older }: Became,
  { replacements }: ChangeStep,
): Replacement {
  const key = Object(schema) as object // a new one for true, false and undefined
  let replacement = replacements.get(key)
  if (replacement === undefined) {
    const paths = findSchema(schema, newer)
    const replaced = paths.length === 0 ? schema : replaceSchema(schema!, newer, older)
    replacement = { paths, replaced }
    replacements.set(key, replacement)
  }
  return replacement
}
