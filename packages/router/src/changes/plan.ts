import type { ActionSchema, Schema } from '../types/schema.ts'
import type { Became, HeaderBecame, StatusBecame } from './change.ts'
import { type Convert, convertAll } from './convert.ts'
import { type Found, type Refuse, allowsNull, findSchema } from './find-schema.ts'
import { guardConversion, guardHeaders } from './guard.ts'
import { isObject } from './json-schema.ts'
import { replaceSchema } from './replace-schema.ts'
import { type ChangeStep, isBecame, refuseIn } from './step.ts'

/** The parts of a request that a schema describes. */
export const requestParts: readonly RequestPart[] = ['params', 'querystring', 'headers', 'body']
/** A part of a request that a schema describes. */
export type RequestPart = 'params' | 'querystring' | 'headers' | 'body'

/** What one step of a change means for an action. */
export interface Plan {
  /** The schema that the action had before. */
  readonly schema: ActionSchema
  readonly request?: Readonly<Partial<Record<RequestPart, RequestStep>>>
  /** By status: `200`, `2xx`, `default`. Null for a response that stays as it is. */
  readonly response?: Readonly<Record<string, ResponsePlan | null>>
  readonly status?: StatusBecame['status']
  readonly header?: HeaderBecame['header']
}

/** Takes a validated part of a request to the next version. */
export interface RequestStep {
  readonly about: string
  readonly convert: Convert
  /** The schema of the part in the next version. The converted value has to match it. */
  readonly schema: Schema
}

/**
 * Says why a newer version refuses what a change made of an older request. The newer field is part
 * of the text, because the client that reads it has never sent a field with that name.
 *
 * @example rejectedAfter('A name is a fullName.', ['fullName'], 'must be a string')
 *   // "is rejected after the change 'A name is a fullName.': fullName must be a string"
 */
export const rejectedAfter = (
  about: string,
  path: readonly PropertyKey[],
  message: string,
): string =>
  `is rejected after the change '${about}': ${`${path.map(String).join('/')} ${message}`.trim()}`

/** What a response gets on its way to an older version. */
export interface OlderHead {
  status: number
  readonly headers: (readonly [name: string, value: string])[]
}
/** Takes the body of one status to the version before. */
type ResponsePlan = (body: unknown, head: OlderHead) => unknown

/**
 * Plans one step for an action.
 *
 * @param where - `users.index`
 * @returns null for an action that the step does not change
 * @throws RouterError HV_CHANGE
 */
export function planOf(where: string, schema: ActionSchema, step: ChangeStep): Plan | null {
  const { one } = step
  if (one.only !== undefined && !one.only.includes(where)) return null
  const refuse = refuseIn(step, where)
  if (isBecame(step)) return planOfSchema(schema, step, refuse)
  return 'header' in one
    ? planOfHeader(schema, one)
    : planOfStatus(schema, one as StatusBecame, refuse)
}

function planOfSchema(schema: ActionSchema, step: ChangeStep<Became>, refuse: Refuse): Plan | null {
  const { about, one } = step
  const nullable = allowsNull(one.newer, refuse)
  const older: Record<string, unknown> = { ...schema }
  const request: Partial<Record<RequestPart, RequestStep>> = {}
  for (const part of requestParts) {
    const { paths, replaced } = findIn(schema[part], step, refuse)
    if (paths.length === 0) continue
    const convert = convertAll(
      paths,
      guardConversion(step, one.up ?? refuse('no-up')),
      nullable,
      about,
    )
    request[part] = { about, convert, schema: schema[part]! }
    older[part] = replaced
  }

  const response: Record<string, ResponsePlan | null> = {}
  const olderResponse: Record<string, Schema> = { ...schema.response }
  for (const [status, body] of Object.entries(schema.response ?? {})) {
    const { paths, replaced } = findIn(body, step, refuse)
    response[status.toLowerCase()] = null
    if (paths.length === 0) continue
    const down = guardConversion(step, one.down ?? refuse('no-down'))
    response[status.toLowerCase()] = planOfResponse(step, down, (convert) =>
      convertAll(paths, convert, nullable, about),
    )
    olderResponse[status] = replaced!
    if (one.status === undefined) continue
    if (paths.every((path) => path.length === 0)) delete olderResponse[status]
    olderResponse[one.status] ??= one.older
  }
  const isTouched =
    Object.keys(request).length > 0 || Object.values(response).some((plan) => plan !== null)
  if (!isTouched) return null
  return {
    schema: { ...older, ...(schema.response && { response: olderResponse }) },
    request,
    response,
  }
}

function planOfStatus(
  schema: ActionSchema,
  { status, only }: StatusBecame,
  refuse: Refuse,
): Plan | null {
  const { [status.newer]: body, ...others } = schema.response ?? {}
  if (body === undefined) return only === undefined ? null : { schema, status }
  if (status.older in others) refuse('status')
  return { schema: { ...schema, response: { ...others, [status.older]: body } }, status }
}

function planOfHeader(schema: ActionSchema, { header }: HeaderBecame): Plan {
  const headers = Object.entries(schema.responseHeaders ?? {})
  const isNewer = (name: string): boolean => name.toLowerCase() === header.newer.toLowerCase()
  const [, own = { type: 'string' }] = headers.find(([name]) => isNewer(name)) ?? []
  const others = Object.fromEntries(headers.filter(([name]) => !isNewer(name)))
  const responseHeaders = header.older === null ? others : { [header.older]: own, ...others }
  return { schema: { ...schema, responseHeaders }, header }
}

function planOfResponse(
  step: ChangeStep<Became>,
  down: Convert,
  convertWith: (convert: Convert) => Convert,
): ResponsePlan {
  const { status } = step.one
  const headers = step.one.headers && guardHeaders(step, step.one.headers)
  let head: OlderHead // of one response at a time, since conversions are synchronous
  const convertAndSet: Convert = (value) => {
    if (value !== null) {
      head.status = status ?? head.status
      for (const [name, text] of Object.entries(headers?.(value) ?? {}))
        if (text !== undefined) head.headers.push([name, text])
    }
    return down(value)
  }
  const convert = convertWith(headers === undefined && status === undefined ? down : convertAndSet)
  return (body, ofResponse) => {
    head = ofResponse
    return convert(body)
  }
}

/** Fastify has bodies with one schema per media type: `{ content: { 'application/json': { schema } } }`. */
const contentOf = (
  schema: Schema | undefined,
): Readonly<Record<string, { readonly schema?: Schema }>> | null =>
  isObject(schema) && isObject(schema['content']) ? (schema['content'] as never) : null

function findIn(part: Schema | undefined, step: ChangeStep<Became>, refuse: Refuse): Found {
  const content = contentOf(part)
  if (content === null) return findInSchema(part, step, refuse)
  const found = Object.entries(content).map(([type, { schema, ...rest }]) => {
    const { paths, replaced } = findInSchema(schema, step, refuse)
    return {
      paths,
      replaced: [type, replaced === undefined ? rest : { ...rest, schema: replaced }] as const,
    }
  })
  const [paths = [], ...others] = found.map((type) => type.paths).filter((all) => all.length > 0)
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(paths))) refuse('ambiguous')
  const replaced = Object.fromEntries(found.map((type) => type.replaced))
  return { paths, replaced: paths.length === 0 ? part : { ...(part as object), content: replaced } }
}

function findInSchema(
  schema: Schema | undefined,
  { one, known }: ChangeStep<Became>,
  refuse: Refuse,
): Found {
  const key = Object(schema) as object // a new one for what is no object
  let found = known.get(key)
  if (found === undefined) {
    const paths = findSchema(schema, one.newer, refuse)
    found = {
      paths,
      replaced: paths.length === 0 ? schema : replaceSchema(schema!, one.newer, one.older, refuse),
    }
    known.set(key, found)
  }
  return found
}
