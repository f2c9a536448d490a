import { type ActionSchema, type Api, type Row, mediaType, routeTable } from '@hv/router'
import {
  type JsonSchema,
  assertApi,
  assertObject,
  bindActions,
  eventsOf,
  fillPattern,
  invalidOption,
  reachable,
  voidStatusesOf,
} from '@hv/router/internal'
import { createComponents } from './components.ts'
import { operationOf, webhookOf, written } from './operation.ts'
import { problemComponentsOf, problemResponsesOf } from './problems.ts'

/** The options of `openapi`. */
export interface OpenApiOptions<Version = number> {
  /** The version to document. */
  readonly version: Version
  /** OpenAPI's Info object. Its description defaults to the version's Accept header. */
  readonly info: {
    readonly title: string
    readonly version: string
    readonly [key: string]: unknown
  }
  /** OpenAPI's list of servers. */
  readonly servers?: readonly { readonly url: string; readonly description?: string }[]
  /** Security for actions whose schema has no `security`. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  /** Components to add: `securitySchemes`, and everything that `responses` refers to. */
  readonly components?: Readonly<Record<string, object>>
  /**
   * The router's own responses, by status, as OpenAPI's objects. Set it if you replace them with
   * `createRouter`'s `problem` option. For responses that all actions share, use `withResponses`.
   *
   * @default the router's problem documents
   */
  readonly responses?: Readonly<Record<string, object>>
  /** Schemas with an `$id` that others refer to: on Fastify, `Object.values(app.getSchemas())`. */
  readonly schemas?: readonly object[]
  /**
   * Marks every operation as deprecated, or none. By default, those with a deprecation date or a
   * sunset are.
   */
  readonly deprecated?: boolean
}

/** An OpenAPI 3.1 document: plain data, ready for `JSON.stringify`. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: OpenApiOptions['info']
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** What the controllers' events send. */
  readonly webhooks?: Readonly<Record<string, object>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly [key: string]: unknown
}

/**
 * Creates a version's OpenAPI 3.1 document from its routes and each action's `schema`.
 *
 * @param controllers - what you pass to the adapter's `createRouter`
 * @throws RouterError HV_UNKNOWN_VERSION, HV_MISSING_ACTIONS, HV_NO_JSON_SCHEMA, HV_UNKNOWN_SCHEMA;
 *   HV_OPTION for an argument of the wrong type, and if two actions have the same operationId
 * @example openapi(routes, controllers, { version: 2, info: { title: 'Acme', version: '2.4.0' } })
 */
export function openapi<Table>(
  routes: Api<Table>,
  controllers: object,
  options: OpenApiOptions<keyof Table>,
): OpenApiDocument {
  const where = 'openapi()'
  assertApi(routes as Api, where)
  assertObject(where, 'controllers', 'the controllers by version', controllers)
  assertObject(where, 'options', "an object like { version: 1, info: { title: 'Acme' } }", options)
  const { info, servers, security, components = {}, responses, schemas = [], deprecated } = options
  assertObject(where, 'info', "an object like { title: 'Acme', version: '1.0.0' }", info)
  if (!Array.isArray(schemas)) throw invalidOption(where, 'schemas', 'a list of schemas', schemas)
  const version = Number(options.version)
  const type = mediaType(routes as Api, { version })
  const actions = bindActions(routes, controllers)
  const named = createComponents(schemas as readonly JsonSchema[])
  const isSecured = security !== undefined && security.length > 0
  const context = {
    mediaType: type,
    components: named,
    deprecated,
    isSecured,
    responsesOf: responses === undefined ? problemResponsesOf : () => responses,
    operationIds: new Map<string, string>(),
  }

  const paths: Record<string, Record<string, unknown>> = {}
  const templates = new Map<string, string>()
  const tags = new Set<string>()
  // OpenAPI ignores parameters' names when it compares paths, and knows no globs, so they look like
  // any other parameter.
  const shapeOf = ({ shape }: Row) => shape.replace('*', ':')
  const versionRows = routeTable(routes).filter((row) => row.version === version)
  const rows = reachable(versionRows, shapeOf)
  for (const row of rows) {
    const action = actions.get(row)!.options
    const schema = (action['schema'] ?? {}) as ActionSchema
    if (schema.hide === true) continue
    const template =
      templates.get(shapeOf(row)) ?? fillPattern(row.pattern, (param) => `{${param}}`)
    templates.set(shapeOf(row), template)
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const operation = operationOf(row, schema, names, {
      ...context,
      voidStatuses: voidStatusesOf(action),
    })
    for (const tag of operation.tags) tags.add(tag)
    ;(paths[template] ??= {})[row.method.toLowerCase()] = operation
  }

  const webhooks: Record<string, object> = {}
  const { versions, lives } = routes.settings
  for (const event of eventsOf((controllers as Record<number, object>)[version])) {
    if (event.schema.hide === true) continue
    const post = webhookOf(event, lives[versions.indexOf(version)]!, {
      ...context,
      voidStatuses: [],
    })
    for (const tag of post.tags) tags.add(tag)
    webhooks[post.operationId] = { post }
  }

  const headers = {
    'API-Version': {
      description: 'The version of the response.',
      schema: { type: 'integer', const: version },
    },
  }
  return {
    openapi: '3.1.0',
    info: { ...info, description: info['description'] ?? `Send \`Accept: ${type}\`.` },
    ...written({ servers, security: isSecured && security }),
    tags: [...tags].map((name) => ({ name })),
    paths,
    ...(Object.keys(webhooks).length > 0 && { webhooks }),
    components: merge(
      { schemas: named.schemas },
      { headers },
      responses === undefined ? problemComponentsOf(rows) : {},
      components,
    ),
  }
}

function merge(
  ...parts: readonly Readonly<Record<string, object>>[]
): OpenApiDocument['components'] {
  const merged: Record<string, Record<string, unknown>> = {}
  for (const part of parts)
    for (const [key, value] of Object.entries(part))
      merged[key] = { ...merged[key], ...(value as object) }
  return merged
}
