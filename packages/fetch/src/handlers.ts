import type { ActionSchema, Row } from '@hv/router'
import {
  type BoundAction,
  type RequestPart,
  ValidationError,
  createValidation,
  isJson,
  propertyOf,
  translationOf,
  validatePart,
} from '@hv/router/adapter'
import { convertResponse } from './convert-response.ts'
import type { RouteMatch, RouterOptions } from './types.ts'

type Handler = (request: Request, match: RouteMatch, ...context: readonly unknown[]) => unknown

/**
 * Creates a row's handler. It reads, validates and converts the parts of the request that its
 * action's schema has.
 *
 * @throws RouterError HV_OPTION, HV_NO_VALIDATOR, HV_INVALID_SCHEMA
 */
export function createHandler(
  row: Row,
  { handler, options }: BoundAction,
  validator: RouterOptions['validator'],
): Handler {
  const schema = options['schema'] as ActionSchema | undefined
  const validation = createValidation(row, options, validator)
  const parts = (Object.keys(propertyOf) as RequestPart[]).filter(
    (part) => schema?.[part] !== undefined,
  )
  const translation = translationOf(options)
  const newest = handler as Handler
  const act: Handler =
    translation.changesBodies || translation.changesHeads
      ? async (...native) =>
          convertResponse((await newest(...native)) as Response | undefined, translation)
      : newest
  if (parts.length === 0) return act
  return async (request, match, ...context) => {
    const matchWithParts: Record<string, unknown> = { ...match }
    for (const part of parts) matchWithParts[propertyOf[part]] = await readers[part](request, match)
    for (const part of validation) {
      const property = propertyOf[part[0]]
      matchWithParts[property] = await validatePart(part, matchWithParts[property])
    }
    return act(request, matchWithParts as RouteMatch, ...context)
  }
}

const readers: Readonly<Record<RequestPart, (request: Request, match: RouteMatch) => unknown>> = {
  params: (_request, { params }) => params,
  querystring: ({ url }) => readQuery(new URL(url).searchParams),
  headers: ({ headers }) => Object.fromEntries(headers),
  body: readBody,
}

/** If a name occurs more than once, its value is a list. */
function readQuery(pairs: URLSearchParams): Record<string, string | string[]> {
  const lists = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    const list = lists.get(name)
    if (list === undefined) lists.set(name, [value])
    else list.push(value)
  }
  return Object.fromEntries(
    Array.from(lists, ([name, list]) => [name, list.length === 1 ? list[0]! : list]),
  )
}

/**
 * Reads a JSON body, or undefined if it's empty. The type is checked, because other sites' forms
 * can't send a JSON type.
 */
async function readBody(request: Request): Promise<unknown> {
  const text = await request.text()
  if (text === '') return undefined
  const type = request.headers.get('content-type')
  if (!isJson(type))
    throw new ValidationError('body', [{ message: `has the type ${type}, which isn't JSON` }])
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new ValidationError('body', [{ message: "isn't JSON" }])
  }
}
