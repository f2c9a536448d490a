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
import { createComponents, unused } from './components.ts'
import {
  type DocumentContext,
  type Operation,
  operationOf,
  webhookOf,
  written,
} from './operation.ts'
import { createProblems, withProblems } from './problems.ts'

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
  /**
   * Components to add: `securitySchemes`, and everything that `responses` refers to. They keep their
   * names: if the router or an action has something different with the same name, that one gets a
   * number.
   */
  readonly components?: object
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
  const given = components as Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>
  const named = createComponents(schemas as readonly JsonSchema[], given['schemas'])
  const versionHeader = unused('API-Version', given['headers'] ?? {})
  const isSecured = security !== undefined && security.length > 0
  const context = {
    mediaType: type,
    components: named,
    deprecated,
    isSecured,
    versionHeader: { $ref: `#/components/headers/${versionHeader}` },
    operationIds: new Map<string, string>(),
  }

  const versionRows = routeTable(routes).filter((row) => row.version === version)
  const operations = operationsOf(reachable(versionRows, shapeOf), actions, context)
  const life = routes.settings.lives[routes.settings.versions.indexOf(version)]!
  const events = eventsOf((controllers as Record<number, object>)[version])
    .filter(({ action }) => action.schema.hide !== true)
    .map((event) => webhookOf(event, life, context))
  const tags = [...operations.map(([, , operation]) => operation), ...events].flatMap(
    (operation) => operation.tags,
  )
  const namedResponses = { ...given['responses'] }
  const problemsOf =
    responses === undefined ? createProblems(named, namedResponses) : () => responses
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [row, path, operation] of operations)
    (paths[path] ??= {})[row.method.toLowerCase()] = {
      ...operation,
      responses: withProblems(
        operation.responses,
        problemsOf(row, operation.responses),
        namedResponses,
      ),
    }
  return {
    openapi: '3.1.0',
    info: { ...info, description: info['description'] ?? `Send \`Accept: ${type}\`.` },
    ...written({ servers, security: isSecured && security }),
    tags: [...new Set(tags)].map((name) => ({ name })),
    paths,
    ...(events.length > 0 && {
      webhooks: Object.fromEntries(events.map((post) => [post.operationId, { post }])),
    }),
    components: {
      ...given,
      schemas: named.schemas,
      headers: {
        ...given['headers'],
        [versionHeader]: {
          description: 'The version of the response.',
          schema: { type: 'integer', const: version },
        },
      },
      responses: namedResponses,
    },
  }
}

// OpenAPI ignores parameters' names when it compares paths, and knows no globs, so they look like
// any other parameter.
const shapeOf = ({ shape }: Row): string => shape.replace('*', ':')

/** The rows' operations, each with its path as the document writes it. */
function operationsOf(
  rows: readonly Row[],
  actions: ReturnType<typeof bindActions>,
  context: Omit<DocumentContext, 'voidStatuses'>,
): readonly (readonly [row: Row, path: string, operation: Operation])[] {
  const paths = new Map<string, string>()
  return rows.flatMap((row) => {
    const action = actions.get(row)!.options
    const schema = (action['schema'] ?? {}) as ActionSchema
    if (schema.hide === true) return []
    const path = paths.get(shapeOf(row)) ?? fillPattern(row.pattern, (param) => `{${param}}`)
    paths.set(shapeOf(row), path)
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const voidStatuses = voidStatusesOf(action)
    return [[row, path, operationOf(row, schema, names, { ...context, voidStatuses })]]
  })
}
