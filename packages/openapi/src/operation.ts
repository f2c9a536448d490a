import type { ActionSchema, Row, Schema } from '@hv/router'
import type { Components } from './components.ts'
import {
  type DeclaredEvent,
  type JsonSchema,
  invalidOption,
  isBodiless,
  isObject,
  mapValues,
} from '@hv/router/internal'
import { contentOf, isOptional } from './content.ts'
import { describedSchema } from './described-schema.ts'
import { type Property, propertiesOf } from './properties.ts'

/** What all operations of a document share. */
export interface DocumentContext {
  /** `application/vnd.acme+json;version=2` */
  readonly mediaType: string
  readonly components: Components
  readonly deprecated: boolean | undefined
  /** The document has security requirements, which an operation's own override. */
  readonly isSecured: boolean
  /** A reference to the header with the version. */
  readonly versionHeader: object
  /**
   * The statuses whose responses have no body in the newer version that this one is derived from.
   */
  readonly voidStatuses: readonly string[]
  /** Each operationId's action: `users#create`. */
  readonly operationIds: Map<string, string>
}

type SharedContext = Omit<DocumentContext, 'voidStatuses'>

/** An operation of an OpenAPI document. */
export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly responses: Readonly<Record<string, object>>
  readonly [key: string]: unknown
}

/** Leaves out what's undefined, null or false, because a document says the same without it. */
export const written = (properties: object): object =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => (value ?? false) !== false))

/** @param names - the path parameters, in order, as the document's path names them */
export function operationOf(
  row: Row,
  schema: ActionSchema,
  names: readonly string[],
  context: DocumentContext,
): Operation {
  const head = headOf(row, schema, context)
  const id = head.operationId
  const parameters = parametersOf(row, schema, names, id, context.components)
  const [vendorJson = ''] = context.mediaType.split(';')
  const {
    security,
    consumes = [],
    body = consumes.length > 0 ? unread(consumes) : undefined,
  } = schema
  const types = schema.consumes ?? ['application/json', vendorJson]
  return {
    ...head,
    ...written({
      security: (context.isSecured || security?.length !== 0) && security,
      parameters: parameters.length > 0 && parameters,
      requestBody:
        body !== undefined &&
        written({
          required: !isOptional(body),
          content: contentOf(body, 'input', types, `${id}.body`, context.components),
        }),
    }),
    responses: responsesOf(row, schema, id, context),
  }
}

/**
 * What the API sends. In a webhook, the API makes the request, and the receiver responds to it.
 *
 * @param life - the version's dates
 */
export function webhookOf(
  { key, name, action: { schema } }: DeclaredEvent,
  life: Row['life'],
  context: SharedContext,
): Operation {
  const head = headOf({ key, action: name, method: 'POST', life }, schema, context)
  const payload = schema.response.default
  const types = ['application/json']
  const content = contentOf(payload, 'output', types, head.operationId, context.components)
  return {
    ...head,
    requestBody: { required: true, content },
    responses: { '2XX': { description: 'The event was received.' } },
  }
}

/** What a document says about an action of a route and about an event. */
function headOf(
  place: Pick<Row, 'key' | 'action' | 'method' | 'life'>,
  schema: ActionSchema,
  context: SharedContext,
) {
  const { tags = [place.key], summary, description, externalDocs } = schema
  // Today's date doesn't matter, because a document should stay the same when a date passes.
  const hasDate = (place.life?.deprecated ?? place.life?.sunset ?? null) !== null
  const deprecated = schema.deprecated ?? context.deprecated ?? hasDate
  return {
    operationId: operationIdOf(place, schema.operationId, context.operationIds),
    tags,
    ...written({ summary, description, externalDocs, deprecated }),
  }
}

/**
 * An operation's id doesn't contain the version, so that clients generated for two versions have
 * the same names. An action with several methods, such as PUT and PATCH, gets one id per method.
 */
function operationIdOf(
  { key, action, method }: Pick<Row, 'key' | 'action' | 'method'>,
  declaredId: string | undefined,
  taken: Map<string, string>,
): string {
  const wanted = declaredId ?? `${key.replaceAll('/', '.')}.${action}`
  const where = `${key}#${action}`
  const owner = taken.get(wanted) ?? where
  if (owner !== where) {
    const expected = `different from that of ${owner}`
    throw invalidOption(where, 'operationId', expected, wanted)
  }
  let id = wanted
  for (let n = 1; taken.has(id); n++) id = `${wanted}.${method.toLowerCase()}${n === 1 ? '' : n}`
  taken.set(id, where)
  return id
}

// ---- requests -----------------------------------------------------------------------------------

/** A body that the handler reads itself. */
const unread = (types: readonly string[]): Schema =>
  /json|form/i.test(types.join()) ? {} : { type: 'string', format: 'binary' }

/** OpenAPI describes these headers elsewhere, and ignores them as parameters. */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization'])

function parametersOf(
  row: Row,
  schema: ActionSchema,
  names: readonly string[],
  id: string,
  components: Components,
): readonly object[] {
  const propertiesIn = (part: 'params' | 'querystring' | 'headers') => [
    ...propertiesOf(schema[part], `${id}.${part}`, components),
  ]
  const declared = new Map(propertiesIn('params'))
  const inPath = row.params.map((param, index) => {
    const property = declared.get(param) ?? { schema: constraintOf(row, param) }
    return parameterOf(names[index]!, 'path', { ...property, required: true })
  })
  return [
    ...inPath,
    ...propertiesIn('querystring').map(([name, property]) => parameterOf(name, 'query', property)),
    ...propertiesIn('headers')
      .filter(([name]) => !ignoredHeaders.has(name.toLowerCase()))
      .map(([name, property]) => parameterOf(name, 'header', property)),
  ]

  function parameterOf(
    name: string,
    location: string,
    { schema: property, required, root }: Property,
  ): object {
    const { description, deprecated, ...rest } = property
    return written({
      name,
      in: location,
      required,
      description,
      deprecated: deprecated === true,
      schema: components.add(rest, `${id}.${name}`, root),
    })
  }
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
): Operation['responses'] {
  const headers = mapValues(responseHeaders, (schema, name) => ({
    schema: describedSchema(schema, 'output', `${id}.${name}`),
  }))
  const hasSuccess = Object.keys(response ?? {}).some((status) => /^[23]|^default$/i.test(status))
  const declared = Object.entries({ ...(!hasSuccess && { '2XX': false }), ...response }).map(
    ([key, schema]) => {
      const status = key === 'default' ? key : key.toUpperCase()
      return [status, responseOf(row, status, schema, headers, `${id}.${key}`, context)]
    },
  )
  return Object.fromEntries(declared)
}

/** Errors come from the app's error handlers, which don't send the vendor type, or from its handlers. */
function responseOf(
  row: Row,
  status: string,
  schema: Schema,
  headers: object,
  name: string,
  context: DocumentContext,
): object {
  const isSuccess = /^[23]/.test(status)
  const types = isSuccess ? [context.mediaType] : ['application/json', context.mediaType]
  const isVoid = context.voidStatuses.includes(status)
  const json =
    isObject(schema) && 'content' in schema
      ? schema
      : describedSchema(schema, 'output', name, isVoid)
  const hasBody = schema !== false && json['type'] !== 'null' && !isBodiless(Number(status))
  return written({
    description: json['description'] ?? (isSuccess ? 'Successful response' : 'Error response'),
    headers: isSuccess && {
      'API-Version': context.versionHeader,
      ...headersOf(row),
      ...headers,
    },
    content: hasBody && contentOf(schema, 'output', types, name, context.components),
  })
}

function headersOf({ life }: Row): object {
  const values = new Map(life?.headers)
  const seeDocs = life?.docs ? ` See ${life.docs}` : ''
  const headerOf = (name: string, description: string) => {
    const example = values.get(name.toLowerCase())
    return (
      example && {
        [name]: { description: description + seeDocs, schema: { type: 'string' }, example },
      }
    )
  }
  return {
    ...headerOf(
      'Deprecation',
      'When the operation is deprecated, in seconds since 1970 (RFC 9745).',
    ),
    ...headerOf('Sunset', 'When the operation ends (RFC 8594).'),
  }
}
