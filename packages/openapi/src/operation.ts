import {
  type ActionSchema,
  RouterError,
  type Row,
  type Schema,
  type SchemaDirection,
} from '@hv/router'
import type { Components } from './components.ts'
import { type JsonSchema, isObject } from '@hv/router/internal'
import { describedSchema } from './described-schema.ts'

/** What the operations of one document share. */
export interface DocumentContext {
  /** `application/vnd.acme+json` */
  readonly vendorJson: string
  /** `application/vnd.acme+json;version=2` */
  readonly mediaType: string
  readonly components: Components
  readonly deprecated: boolean | undefined
  /** The document has security, which that of an operation overrides. */
  readonly isSecured: boolean
  /** Responses of the operation of a row besides its own, by status. */
  readonly responsesOf: (row: Row) => Readonly<Record<string, object>>
  /** The statuses that have no body in the newer version that this one follows from. */
  readonly voidStatuses: readonly string[]
  /** The action that has each operationId: `users#create`. */
  readonly operationIds: Map<string, string>
}

/** An operation of an OpenAPI document. */
export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly [key: string]: unknown
}

/** @param names - the path parameters as the path of the document names them, in order */
export function operationOf(
  row: Row,
  schema: ActionSchema,
  names: readonly string[],
  context: DocumentContext,
): Operation {
  const {
    summary,
    description,
    externalDocs,
    security,
    deprecated = context.deprecated ?? isDeprecated(row),
  } = schema
  const id = operationIdOf(row, schema.operationId, context.operationIds)
  const parameters = parametersOf(row, schema, names, id, context)
  const types = schema.consumes ?? ['application/json', context.vendorJson]
  return {
    operationId: id,
    tags: schema.tags ?? [row.key],
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(externalDocs !== undefined && { externalDocs }),
    ...(deprecated && { deprecated }),
    ...(security && (context.isSecured || security.length > 0) && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...(schema.body !== undefined && {
      requestBody: {
        required: true,
        content: contentOf(schema.body, 'input', types, `${id}.body`, context),
      },
    }),
    responses: responsesOf(row, schema, id, context),
  }
}

/** Whatever the date is: a document does not change with time. */
const isDeprecated = ({ life }: Row): boolean => (life?.deprecated ?? life?.sunset ?? null) !== null

/** Without the version, so that clients generated for two versions have the same names. PUT and PATCH may share an action. */
function operationIdOf(
  { key, action, method }: Row,
  own: string | undefined,
  taken: Map<string, string>,
): string {
  const wanted = own ?? `${key.replaceAll('/', '.')}.${action}`
  const where = `${key}#${action}`
  const owner = taken.get(wanted) ?? where
  if (owner !== where) {
    const expected = `different from that of ${owner}`
    throw new RouterError('HV_OPTION', { where, option: 'operationId', expected, received: wanted })
  }
  let id = wanted
  for (let n = 1; taken.has(id); n++) id = `${wanted}.${method.toLowerCase()}${n === 1 ? '' : n}`
  taken.set(id, where)
  return id
}

// ---- requests -----------------------------------------------------------------------------------

/** OpenAPI describes these headers elsewhere and ignores them as parameters. */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization'])

function parametersOf(
  row: Row,
  schema: ActionSchema,
  names: readonly string[],
  id: string,
  context: DocumentContext,
): readonly object[] {
  const declared = propertiesOf(schema.params, `${id}.params`, context)
  const inPath = [...row.pattern.matchAll(/[:*](\w+)/g)].map(([, param], index) => {
    const property = declared.get(param!) ?? { schema: constraintOf(row, param!) }
    return parameterOf(names[index]!, 'path', { ...property, required: true })
  })
  const query = [...propertiesOf(schema.querystring, `${id}.querystring`, context)]
  const headers = [...propertiesOf(schema.headers, `${id}.headers`, context)]
  return [
    ...inPath,
    ...query.map(([name, property]) => parameterOf(name, 'query', property)),
    ...headers
      .filter(([name]) => !ignoredHeaders.has(name.toLowerCase()))
      .map(([name, property]) => parameterOf(name, 'header', property)),
  ]

  function parameterOf(
    name: string,
    location: string,
    { schema: own, required, root }: Property,
  ): object {
    const { description, deprecated, ...rest } = own
    return {
      name,
      in: location,
      ...(required && { required }),
      ...(description !== undefined && { description }),
      ...(deprecated === true && { deprecated }),
      schema: context.components.add(rest, `${id}.${name}`, root ?? rest),
    }
  }
}

interface Property {
  readonly schema: JsonSchema
  readonly required: boolean
  /** The schema that contains it. Default: itself. */
  readonly root?: JsonSchema
}

/**
 * The properties of an object schema, also through `$ref`, `allOf`, `anyOf` and `oneOf`. Those of a union are optional,
 * because a request may have those of another alternative.
 */
function propertiesOf(
  schema: Schema | undefined,
  name: string,
  { components }: DocumentContext,
): ReadonlyMap<string, Property> {
  const found = new Map<string, Property>()
  if (schema !== undefined) collect(describedSchema(schema, 'input', name), found)
  return found

  function collect(
    part: JsonSchema,
    into: Map<string, Property>,
    root = part,
    open: readonly JsonSchema[] = [],
  ): void {
    const { schema: object, root: around } = components.resolve(part, name, root)
    if (open.includes(object)) return
    const home = typeof object['$id'] === 'string' ? object : around
    const within = [...open, object]
    for (const one of (object['allOf'] ?? []) as readonly JsonSchema[])
      collect(one, into, home, within)
    for (const union of [object['anyOf'], object['oneOf']] as readonly (
      | readonly JsonSchema[]
      | undefined
    )[])
      for (const [property, own] of ofUnion(union ?? [], home, within))
        if (!into.has(property)) into.set(property, own)
    const required = requiredOf(object)
    for (const [property, own] of Object.entries(
      (object['properties'] ?? {}) as Readonly<Record<string, unknown>>,
    ))
      into.set(property, {
        schema: isObject(own) ? own : {},
        required: required.includes(property),
        root: home,
      })
  }

  function ofUnion(
    union: readonly JsonSchema[],
    root: JsonSchema,
    open: readonly JsonSchema[],
  ): Map<string, Property> {
    const alternatives = new Map<string, Property[]>()
    for (const one of union) {
      const properties = new Map<string, Property>()
      collect(one, properties, root, open)
      for (const [property, own] of properties)
        alternatives.set(property, [...(alternatives.get(property) ?? []), own])
    }
    return new Map(
      [...alternatives].map(([property, all]) => {
        const schemas = new Map(all.map((own) => [JSON.stringify(own.schema), own.schema]))
        const [first, ...others] = [...schemas.values()]
        const either = others.length === 0 ? first! : { anyOf: [first, ...others] }
        return [property, { ...all.at(-1)!, schema: either, required: false }]
      }),
    )
  }
}

/** The properties that a client must send: a validator fills in those with a default. */
function requiredOf({ required = [], properties = {} }: JsonSchema): readonly string[] {
  const hasDefault = (name: string): boolean => {
    const own = (properties as JsonSchema)[name]
    return isObject(own) && 'default' in own
  }
  return (required as readonly string[]).filter((name) => !hasDefault(name))
}

/** JSON Schema has no flags, so a constraint with flags other than `u` is left out. */
function constraintOf({ constraints }: Row, param: string): JsonSchema {
  const constraint = Object.hasOwn(constraints, param) ? constraints[param] : undefined
  return {
    type: 'string',
    ...(constraint !== undefined &&
      /^u?$/.test(constraint.flags) && { pattern: constraint.source }),
  }
}

// ---- responses ----------------------------------------------------------------------------------

function responsesOf(
  row: Row,
  { response, responseHeaders = {} }: ActionSchema,
  id: string,
  context: DocumentContext,
): object {
  const headers = Object.fromEntries(
    Object.entries(responseHeaders).map(([name, schema]) => [
      name,
      { schema: describedSchema(schema, 'output', `${id}.${name}`) },
    ]),
  )
  const hasSuccess = Object.keys(response ?? {}).some((status) => /^[23]|^default$/i.test(status))
  const declared = Object.entries({ ...(!hasSuccess && { '2XX': false }), ...response }).map(
    ([key, schema]) => {
      const status = key === 'default' ? key : key.toUpperCase()
      return [status, responseOf(row, status, schema, headers, `${id}.${key}`, context)]
    },
  )
  return { ...context.responsesOf(row), ...Object.fromEntries(declared) }
}

/** The media type of errors is the one that error handlers send, not the vendor type. */
function responseOf(
  row: Row,
  status: string,
  schema: Schema,
  headers: object,
  name: string,
  context: DocumentContext,
): object {
  const isSuccess = /^[23]/.test(status)
  const types = [isSuccess ? context.mediaType : 'application/json']
  const isEmpty = ['204', '205', '304'].includes(status)
  const isVoid = context.voidStatuses.includes(status)
  const json =
    isObject(schema) && 'content' in schema
      ? schema
      : describedSchema(schema, 'output', name, isVoid)
  const hasBody = schema !== false && json['type'] !== 'null' && !isEmpty
  return {
    description: json['description'] ?? (isSuccess ? 'Successful response' : 'Error response'),
    ...(isSuccess && { headers: { ...headersOf(row), ...headers } }),
    ...(hasBody && { content: contentOf(schema, 'output', types, name, context) }),
  }
}

const apiVersion = { 'API-Version': { $ref: '#/components/headers/API-Version' } }

function headersOf({ life }: Row): object {
  if (life === null) return apiVersion
  const values = new Map(life.headers)
  const seeDocs = life.docs === null ? '' : ` See ${life.docs}`
  const headerOf = (name: string, description: string) => {
    const example = values.get(name.toLowerCase())
    return (
      example && {
        [name]: { description: description + seeDocs, schema: { type: 'string' }, example },
      }
    )
  }
  return {
    ...apiVersion,
    ...headerOf(
      'Deprecation',
      'When the operation is deprecated, in seconds since 1970 (RFC 9745).',
    ),
    ...headerOf('Sunset', 'When the operation ends (RFC 8594).'),
  }
}

/** The schema under each media type, or the media types of Fastify's `{ content: { 'image/png': { schema } } }`. */
function contentOf(
  schema: Schema,
  direction: SchemaDirection,
  types: readonly string[],
  name: string,
  { components }: DocumentContext,
): object {
  const own = (schema as { content?: unknown }).content
  const byType: readonly (readonly [string, Schema])[] = isObject(own)
    ? Object.entries(own as Record<string, { readonly schema: Schema }>).map(([type, one]) => [
        type,
        one.schema,
      ])
    : types.map((type) => [type, schema])
  const jsonOf = (one: Schema): JsonSchema => {
    const json = describedSchema(one, direction, name)
    return direction === 'input' && 'required' in json
      ? { ...json, required: requiredOf(json) }
      : json
  }
  return Object.fromEntries(
    byType.map(([type, one]) => [type, { schema: components.add(jsonOf(one), name) }]),
  )
}
