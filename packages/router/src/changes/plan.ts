import type { ActionSchema, Schema } from '../types/schema.ts'
import type { Became, HeaderBecame, StatusBecame } from './change.ts'
import { type Conversion, type Convert, type Path, convertAll } from './convert.ts'
import { findSchema, replaceSchema } from './find-schema.ts'
import { typesOf } from './value-types.ts'
import { guardConversion, guardHeaders } from './guard.ts'
import { jsonTypes } from './json-schema.ts'
import { isObject } from '../objects.ts'
import { viewOf } from './schema-view.ts'
import { type ChangeStep, Irreversible, type Replacement, changeError } from './step.ts'

/** The parts of a request that a schema describes. */
export const requestParts: readonly RequestPart[] = ['params', 'querystring', 'headers', 'body']
/** A part of a request that a schema describes. */
export type RequestPart = 'params' | 'querystring' | 'headers' | 'body'

/** What one step of a change means for an action. */
export interface Plan {
  /** The schema that the action had before. */
  readonly schema: ActionSchema
  readonly request?: Readonly<Partial<Record<RequestPart, RequestStep>>>
  /** Where the values of responses are, by status: `200`, `2xx`, `default`. */
  readonly response?: Readonly<Record<string, readonly Path[]>>
  /** Takes these values to the version before, and changes the response's head. */
  readonly down?: Conversion
  /**
   * Consecutive plans with the same text here convert a value one after the other, so that a list
   * is only copied once.
   */
  readonly places?: string | undefined
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
 * @param isEvent - whether the action is an event, whose payload has neither a status nor headers
 * @returns null for an action that the step doesn't change
 * @throws RouterError HV_CHANGE
 */
export function planOf(
  where: string,
  schema: ActionSchema,
  step: ChangeStep,
  isEvent: boolean,
): Plan | null {
  const { declared } = step
  if (declared.only !== undefined && !declared.only.includes(where)) return null
  try {
    if ('header' in declared) return isEvent ? null : planOfHeader(schema, declared)
    if (!('newer' in declared)) return isEvent ? null : planOfStatus(schema, declared)
    return planOfSchema(schema, isEvent ? withoutHead(declared) : declared, step)
  } catch (error) {
    if (!(error instanceof Irreversible)) throw error
    throw changeError(step, where, error.reason, error.hint, isEvent ? 'a payload' : 'a response')
  }
}

const withoutHead = ({ status: _status, headers: _headers, ...became }: Became): Became => became

function planOfSchema(schema: ActionSchema, became: Became, step: ChangeStep): Plan | null {
  const { about } = step
  const types = typesOf(viewOf(became.newer))
  // A request's values have the older schema's types. The newer schema only decides whether null is
  // converted.
  const requestTypes = jsonTypes.filter((type) => type !== 'null' || types.includes(type))
  const older: Record<string, unknown> = { ...schema }
  const request: Partial<Record<RequestPart, RequestStep>> = {}
  for (const part of requestParts) {
    if (schema[part] === undefined) continue
    const { paths, replaced } = replaceIn(schema[part], became, step)
    if (paths.length === 0) continue
    if (became.up === undefined) throw new Irreversible('no-up')
    const up = guardConversion(step, became.up)
    const convert = convertAll(paths, [{ about, types: requestTypes, convert: up }])
    request[part] = { about, convert, schema: schema[part]! }
    older[part] = replaced
  }

  const response: Record<string, readonly Path[]> = {}
  const olderResponse: Record<string, Schema> = { ...schema.response }
  for (const [status, body] of Object.entries(schema.response ?? {})) {
    const { paths, replaced } = replaceIn(body, became, step)
    response[status.toLowerCase()] = paths
    if (paths.length === 0) continue
    olderResponse[status] = replaced!
    if (became.status === undefined) continue
    // Older responses with this value have their own status. A union's other values keep this
    // status.
    if (paths.every((path) => path.length === 0)) delete olderResponse[status]
    olderResponse[became.status] ??= became.older
  }

  const isConverted = Object.values(response).some((paths) => paths.length > 0)
  if (!isConverted && Object.keys(request).length === 0) return null
  if (schema.response) older['response'] = olderResponse
  const plan = { schema: older, request, response }
  if (!isConverted) return plan
  const down = { about, types, convert: convertDown(became, step) }
  const text = JSON.stringify(response)
  // The next conversion may depend on the head, or on what an `itself` step finds in the value.
  const changesHead = became.status !== undefined || became.headers !== undefined
  const places = changesHead || text.includes('"itself') ? undefined : text
  return { ...plan, down, places }
}

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

function convertDown(became: Became, step: ChangeStep): Convert {
  if (became.down === undefined) throw new Irreversible('no-down')
  const down = guardConversion(step, became.down)
  const headersOf = became.headers && guardHeaders(step, became.headers)
  if (headersOf === undefined && became.status === undefined) return down
  return (value, head) => {
    head!.status = became.status ?? head!.status
    for (const [name, text] of Object.entries(headersOf?.(value) ?? {}))
      if (text !== undefined) head!.headers.push([name, text])
    return down(value)
  }
}

/**
 * Replaces the newer schema in a part of an action's schema. Fastify has bodies with one schema per
 * media type, `{ content: { 'application/json': { schema } } }`, which all have to change alike.
 */
function replaceIn(part: Schema | undefined, became: Became, step: ChangeStep): Replacement {
  if (!isObject(part) || !isObject(part['content'])) return replaceOnce(part, became, step)
  const content: Record<string, unknown> = {}
  const changed = new Map<string, readonly Path[]>()
  for (const [type, media] of Object.entries(part['content'])) {
    const { schema } = media as { readonly schema?: Schema }
    const { paths, replaced } = replaceOnce(schema, became, step)
    content[type] = { ...(media as object), schema: replaced }
    if (paths.length > 0) changed.set(JSON.stringify(paths), paths)
  }
  if (changed.size > 1) throw new Irreversible('ambiguous')
  const [paths = []] = changed.values()
  return { paths, replaced: { ...part, content } }
}

function replaceOnce(
  schema: Schema | undefined,
  { newer, older }: Became,
  { replacements }: ChangeStep,
): Replacement {
  const view = viewOf(schema)
  let replacement = replacements.get(view)
  if (replacement === undefined) {
    const target = viewOf(newer)
    const paths = findSchema(view, target)
    const replaced = paths.length === 0 ? schema : replaceSchema(view, target, older)
    replacement = { paths, replaced }
    replacements.set(view, replacement)
  }
  return replacement
}
