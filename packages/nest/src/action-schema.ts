// A method's schema, read from its decorators, and the decorators of an older schema.
import type { ActionSchema, Schema } from '@hv/router'
import { type RequestPart, type SchemaAction, translationOf } from '@hv/router/adapter'
import type { Type } from '@nestjs/common'
import {
  type Declared,
  classOf,
  declaredSchema,
  describeSchema,
  modelsKey,
  modelsOf,
  schemaOf,
} from './dto-schema.ts'
import { forgetInheritedParameters } from './inheritance.ts'
import { RENDER_METADATA, ROUTE_ARGS_METADATA, SSE_METADATA } from './internals.ts'

/** The parts of a request that DTOs describe, by Nest's `RouteParamtypes`. */
export const requestParts: Readonly<Partial<Record<string, RequestPart>>> = {
  3: 'body',
  4: 'querystring',
  5: 'params',
}

/** A decorated parameter of a method. */
interface Parameter {
  readonly index: number
  /** `name` in `@Body('name')`. */
  readonly data?: unknown
  /** `@Body({ schema })`, since Nest 12. */
  readonly schema?: Schema | undefined
}

export const responsesKey = 'swagger/apiResponse'
const parametersKey = 'swagger/apiParameters'
const typesKey = 'design:paramtypes'

/** Whether a status, or a range such as `2XX`, covers successful responses. */
const isSuccess = (status: string): boolean => /^(?:2|default)/.test(status)

/** An action that was read from a method. A derived action keeps what the change doesn't touch. */
export interface MethodAction extends SchemaAction {
  /** The schema that the method has. */
  readonly newest: ActionSchema
}

/** Reads what a method takes and returns. */
export function readAction(metatype: Type, name: string): MethodAction {
  const method = metatype.prototype[name] as SchemaAction['handler']
  const models = [...modelsOf(metatype), ...modelsOf(method)]
  const schema: Record<string, Schema> = {}
  forgetInheritedParameters(metatype, name)
  const types = typesOf(metatype, name)
  const named: Record<string, Schema> = {} // by @Body('name')
  for (const { part, index, data, schema: librarySchema } of readersOf(metatype, name)) {
    if (part === 'params' && types[index] === Object) continue
    const problem = `its ${part} has no type that can be read. Use a DTO class`
    const read = librarySchema ?? schemaOf(types[index], problem)
    if (data === undefined) schema[part] = read
    else if (part === 'body') named[String(data)] = read
  }
  const responses: Record<string, Schema> = {}
  const responseHeaders: Record<string, Schema> = {}
  for (const [status, response] of Object.entries(responsesOf(metatype, name))) {
    const { description, headers, type, schema: json, content, standardSchema } = response
    const declared = type ?? json ?? content ?? standardSchema
    // If there's only a description, it doesn't declare a type.
    if (!declared && (description || !isSuccess(status))) continue
    // The compiler plugin writes an empty one for a type that it can't express.
    const problem = `its response ${status} has no type that can be read. Declare its type, or schema: {} if nothing in it changed`
    responses[status] = status === '204' ? {} : declaredSchema(response, models, problem)
    if (isSuccess(status)) Object.assign(responseHeaders, headers)
  }
  const body = { properties: named }
  const newest = { body, ...schema, response: responses, responseHeaders }
  return { handler: method, schema: newest, newest }
}

/** A method's declared responses, and those of its class. */
const responsesOf = (metatype: Type, name: string): Readonly<Record<string, Declared>> => ({
  ...Reflect.getMetadata(responsesKey, metatype),
  ...Reflect.getMetadata(responsesKey, metatype.prototype[name]),
})

/** The parameters that take a part of the request. */
export function readersOf(metatype: Type, name: string) {
  return Object.entries(argumentsOf(metatype, name)).flatMap(([key, parameter]) => {
    const part = requestParts[key.split(':')[0]!]
    return part === undefined ? [] : [{ key, part, ...parameter }]
  })
}

const argumentsOf = (metatype: Type, name: string): Readonly<Record<string, Parameter>> =>
  Reflect.getMetadata(ROUTE_ARGS_METADATA, metatype, name) ?? {}

const typesOf = (metatype: Type, name: string): readonly unknown[] =>
  Reflect.getMetadata(typesKey, metatype.prototype, name) ?? []

/**
 * Replaces a described method's decorators by those of an older version, which documents read.
 *
 * @param metatype - a class that only documents read
 */
export function declareOlder(metatype: Type, name: string, action: MethodAction): void {
  const method = metatype.prototype[name]
  const { request } = translationOf(action)
  const { body, response = {}, responseHeaders } = action.schema ?? {}
  const models = new Set(modelsOf(method))

  const types = [...typesOf(metatype, name)]
  const readers: Record<string, Parameter> = { ...argumentsOf(metatype, name) }
  for (const { key, part, ...parameter } of readersOf(metatype, name)) {
    if (request[part] === undefined) continue
    const older = action.schema![part]!
    types[parameter.index] = part === 'body' ? Object : classOf(older)
    if (parameter.schema !== undefined) readers[key] = { ...parameter, schema: older }
  }
  Reflect.defineMetadata(typesKey, types, metatype.prototype, name)
  Reflect.defineMetadata(ROUTE_ARGS_METADATA, readers, metatype, name)
  if (request.body) {
    const parameters: readonly Declared[] = Reflect.getMetadata(parametersKey, method) ?? []
    const older = [
      ...parameters.filter((parameter) => parameter.in !== 'body'),
      { in: 'body', type: String, required: true, schema: describeSchema(body!, models) },
    ]
    Reflect.defineMetadata(parametersKey, older, method)
  }

  const { response: newest = {} } = action.newest
  const responses: Record<string, Declared> = { ...responsesOf(metatype, name) }
  for (const status of Object.keys(newest)) if (!(status in response)) delete responses[status]
  for (const [status, schema] of Object.entries(response)) {
    if (schema !== newest[status])
      responses[status] = {
        description: responses[status]?.description ?? '',
        schema: describeSchema(schema, models),
      }
    if (isSuccess(status)) responses[status] = { ...responses[status], headers: responseHeaders }
  }
  // Nest adds the usual status to a method that declares none of its own.
  const declaring = Reflect.hasMetadata(responsesKey, method) ? method : metatype
  Reflect.defineMetadata(responsesKey, responses, declaring)
  Reflect.defineMetadata(modelsKey, [...models], method)
}

/**
 * Says why Nest would read an action's request before it's converted, or send a response that can't
 * be.
 */
export function describeInconvertible(
  newer: Type,
  name: string,
  action: SchemaAction,
): string | undefined {
  const { request, changesBodies } = translationOf(action)
  const method = newer.prototype[name]
  const remedy = 'Write a controller, or leave the action out with only'
  const inconvertible = ['__fastify_route_schema__']
  if (changesBodies) inconvertible.push(SSE_METADATA, RENDER_METADATA)
  if (inconvertible.some((key) => Reflect.hasMetadata(key, method)))
    return `has @Sse(), @Render() or @RouteSchema(), and none of them can be converted. ${remedy}`
  for (const { part, data, schema } of readersOf(newer, name)) {
    const steps = request[part]
    if (steps === undefined) continue
    if (data !== undefined)
      return `takes '${String(data)}' of a ${part} that changed. Take the whole DTO`
    if (schema === undefined && steps.some((step) => (step.schema as any).type === 'array'))
      return `takes a list as its ${part}. ${remedy}`
  }
  return undefined
}
