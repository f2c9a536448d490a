// A method's schema, read from its decorators, and the decorators of an older schema.
import type { Schema } from '@hv/router'
import { type SchemaAction, translationOf } from '@hv/router/adapter'
import type { Type } from '@nestjs/common'
import {
  type Declared,
  classOf,
  declaredSchema,
  describeSchema,
  modelsOf,
  schemaOf,
} from './dto-schema.ts'
import { forgetInheritedParameters } from './inheritance.ts'
import { RENDER_METADATA, ROUTE_ARGS_METADATA, SSE_METADATA, routeOptionOf } from './internals.ts'

/** The parts of a request that DTOs describe, by Nest's `RouteParamtypes`. */
export const requestParts: Readonly<Record<string, 'body' | 'querystring' | 'params' | undefined>> =
  { 3: 'body', 4: 'querystring', 5: 'params' }

/** A decorated parameter of a method. */
interface Parameter {
  readonly index: number
  /** `name` in `@Body('name')`. */
  readonly data?: unknown
  /** `@Body({ schema })`, since Nest 12. */
  readonly schema?: Schema
}

/** A response that `@ApiResponse()` declares. */
type Response = Declared & {
  readonly description?: string
  readonly headers?: Readonly<Record<string, Schema>> | undefined
}
type Responses = Readonly<Record<string, Response>>

export const responsesKey = 'swagger/apiResponse'
const parametersKey = 'swagger/apiParameters'
const modelsKey = 'swagger/apiExtraModels'

/** Whether a status, or a range such as `2XX`, covers successful responses. */
const isSuccess = (status: string): boolean => /^(?:2|default)/.test(status)

/** Reads what a method takes and returns. */
export function readAction(metatype: Type, name: string): SchemaAction {
  const method = metatype.prototype[name] as SchemaAction['handler']
  const models = [...modelsOf(metatype), ...modelsOf(method)]
  const schema: Record<string, Schema> = {}
  const declaredBody = bodiesOf(method).find((parameter) => parameter.in === 'body')
  if (declaredBody !== undefined)
    schema['body'] = declaredSchema(declaredBody, models, 'its @ApiBody() has no type')
  forgetInheritedParameters(metatype, name)
  const types = typesOf(metatype, name)
  for (const { part, parameter } of readersOf(metatype, name)) {
    const problem = `its ${part} has no type that can be read. Use a DTO class`
    const type = parameter.schema ?? types[parameter.index]
    const isDescribed = part === 'params' || part in schema // an interface may be
    if (parameter.data === undefined && !(type === Object && isDescribed))
      schema[part] = schemaOf(type, problem)
  }
  const responses: Record<string, Schema> = {}
  const responseHeaders: Record<string, Schema> = {}
  for (const [status, response] of Object.entries(declaredResponses(metatype, name))) {
    const problem = 'its response has no type that can be read. Add @ApiOkResponse({ type: … })'
    const { type, schema: json, content, standardSchema } = response
    const isEmpty = [type, json, content, standardSchema].every((value) => value === undefined)
    responses[status] = isEmpty ? {} : declaredSchema(response, models, problem)
    if (isSuccess(status)) Object.assign(responseHeaders, response.headers)
  }
  return { handler: method, schema: { ...schema, response: responses, responseHeaders } }
}

/** A method's responses, and those of its class. */
const declaredResponses = (metatype: Type, name: string): Responses => ({
  ...(Reflect.getMetadata(responsesKey, metatype) as Responses),
  ...(Reflect.getMetadata(responsesKey, metatype.prototype[name] as object) as Responses),
})

/** The parameters that take a part of the request. */
function readersOf(metatype: Type, name: string) {
  const parameters = Object.entries(parametersOf(metatype, name))
  return parameters.flatMap(([key, parameter]) => {
    const part = requestParts[key.split(':')[0]!]
    return part === undefined ? [] : [{ key, part, parameter }]
  })
}

const parametersOf = (metatype: Type, name: string): Readonly<Record<string, Parameter>> =>
  (Reflect.getMetadata(ROUTE_ARGS_METADATA, metatype, name) as never) ?? {}

const typesOf = (metatype: Type, name: string): readonly unknown[] =>
  (Reflect.getMetadata('design:paramtypes', metatype.prototype as object, name) as never) ?? []

type Body = Declared & { readonly in?: string }
const bodiesOf = (method: object): readonly Body[] =>
  (Reflect.getMetadata(parametersKey, method) as never) ?? []

/**
 * Gives a class a method like the newer class's, with the decorators of the older schema. Documents
 * read them, and Nest if a class of the app extends this one.
 */
export function declareOlder(
  older: Type,
  name: string,
  newerAction: SchemaAction,
  action: SchemaAction,
): void {
  const newer = Object.getPrototypeOf(older) as Type
  const { request } = translationOf(action)
  const { schema = {} } = action

  const method = newer.prototype[name] as Function
  const copy = {
    [name](this: object, ...args: unknown[]): unknown {
      return method.apply(this, args)
    },
  }[name]!
  Object.defineProperty(older.prototype, name, { value: copy, configurable: true, writable: true })
  for (const key of Reflect.getMetadataKeys(method))
    Reflect.defineMetadata(key, Reflect.getMetadata(key, method), copy)

  // These are copies, so they aren't taken for inherited ones.
  const parameters: Record<string, Parameter> = {}
  for (const [key, parameter] of Object.entries(parametersOf(newer, name)))
    parameters[key] = { ...parameter }
  const types = [...typesOf(newer, name)]
  for (const { key, part, parameter } of readersOf(newer, name)) {
    if (request[part] === undefined) continue
    if (parameter.schema === undefined) types[parameter.index] = classOf(schema[part]!)
    else parameters[key] = { ...parameter, schema: schema[part]! }
  }
  Reflect.defineMetadata(ROUTE_ARGS_METADATA, parameters, older, name)
  Reflect.defineMetadata('design:paramtypes', types, older.prototype as object, name)

  const models = new Set(modelsOf(method))
  const bodies = bodiesOf(method).map((body) =>
    body.in === 'body' && request.body ? withSchema(body, schema.body!, models) : body,
  )
  Reflect.defineMetadata(parametersKey, bodies, copy)
  const responses: Record<string, object> = {}
  const declared = declaredResponses(newer, name)
  const newerResponses = newerAction.schema!.response!
  for (const [status, body] of Object.entries(schema.response ?? {})) {
    const isMoved = newerResponses[status] !== body
    const moved = isMoved && Object.keys(newerResponses).find((key) => newerResponses[key] === body)
    const response = declared[moved || status] ?? { description: '' }
    responses[status] = {
      ...(isMoved && !moved ? withSchema(response, body, models) : response),
      ...(response.headers && isSuccess(status) && { headers: schema.responseHeaders }),
    }
  }
  Reflect.defineMetadata(responsesKey, responses, copy)
  Reflect.defineMetadata(modelsKey, [...models], copy)
}

function withSchema(declared: Response, schema: Schema, models: Set<Type>): object {
  const description = describeSchema(schema, models)
  const replaced = { type: undefined, isArray: false, schema: undefined, content: undefined }
  const isClass = typeof description.type === 'function'
  return { ...declared, ...replaced, ...(isClass ? description : { schema: description }) }
}

/** Says why Nest would read an action's request before it's converted, or send what can't be. */
export function describeInconvertible(
  newer: Type,
  name: string,
  action: SchemaAction,
): string | undefined {
  const { request, respond } = translationOf(action)
  const method = newer.prototype[name] as object
  const remedy = 'Write a controller, or leave the action out with only'
  if (respond !== null && Reflect.hasMetadata(SSE_METADATA, method))
    return `is @Sse(), whose messages aren't converted. ${remedy}`
  if (respond !== null && Reflect.hasMetadata(RENDER_METADATA, method))
    return `renders a view, which isn't converted. ${remedy}`
  if (routeOptionOf(method, 'schema') !== undefined)
    return `has @RouteSchema(), which doesn't know the older version. ${remedy}`
  const parameters = readersOf(newer, name)
  for (const [part, steps] of Object.entries(request)) {
    const readers = parameters.filter((reader) => reader.part === part)
    if (readers.length === 0)
      return `has no parameter that takes the ${part} that changed. ${remedy}`
    for (const { parameter } of readers) {
      const { data, schema } = parameter
      if (data !== undefined)
        return `takes '${String(data)}' of a ${part} that changed. Take the whole DTO`
      const isList = steps.some((step) => (step.schema as { type?: unknown }).type === 'array')
      if (schema === undefined && isList) return `takes a list as its ${part}. ${remedy}`
    }
  }
  return undefined
}
