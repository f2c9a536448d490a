import { type Row, mediaType, routeTable } from '@hv/router'
import { Type } from '@sinclair/typebox'
import { serviceVersion } from '../config.ts'
import { routes } from '../routes.ts'

/** The schema of an action: what Fastify reads, and what only the documents use. */
interface ActionSchema {
  readonly summary?: string
  /** Empty for an action that needs no token. */
  readonly security?: readonly object[]
  readonly body?: object
  readonly querystring?: { readonly properties: Readonly<Record<string, { readonly description?: string }>> }
  readonly response?: Readonly<Record<string, object>>
}
type Controllers = Readonly<Record<number, Readonly<Record<string, object>>>>

const ErrorBody = Type.Object({
  status: Type.Literal(false),
  code: Type.Integer({ description: 'the HTTP status' }),
  message: Type.String(),
  error: Type.String({ description: 'a stable identifier for programs' }),
  requestId: Type.String(),
})

/** The OpenAPI 3.1 document of one version, from the route table and the schemas of its controllers. */
export function createDocument(version: number, controllers: Controllers): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const row of routeTable(routes))
    if (row.version === version) {
      const path = row.path.replace('(.:format)', '').replace(/:(\w+)/g, '{$1}')
      const key = row.controller.slice(row.controller.lastIndexOf('/') + 1)
      const actions = controllers[version]![key] as Readonly<Record<string, { schema?: ActionSchema }>>
      const { schema = {} } = actions[row.action]!
      ;(paths[path] ??= {})[row.method.toLowerCase()] = operationOf(row, key, schema)
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Users',
      version: serviceVersion,
      description: `Version ${version} of the API: send \`Accept: ${mediaType(routes, version)}\`.`,
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: ErrorBody },
    },
    security: [{ token: [] }],
  }
}

function operationOf({ version, path, action }: Row, tag: string, schema: ActionSchema): object {
  const { summary, security, body, querystring, response = {} } = schema
  const inPath = [...path.matchAll(/:(\w+)(?=\/|\(|$)/g)].map(([, name]) => name!).filter((name) => name !== 'format')
  const inQuery = Object.entries(querystring?.properties ?? {})
  const bodies = body && {
    'application/json': { schema: body },
    [mediaType(routes, version).split(';')[0]!]: { schema: body },
  }
  return {
    operationId: `${tag}.${action}`,
    tags: [tag],
    ...(summary !== undefined && { summary }),
    ...(security !== undefined && { security }),
    parameters: [
      ...inPath.map((name) => ({ name, in: 'path', required: true, schema: { type: 'integer', minimum: 1 } })),
      ...inQuery.map(([name, { description, ...type }]) => ({ name, in: 'query', description, schema: type })),
    ],
    ...(bodies && { requestBody: { required: true, content: bodies } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(response).map(([status, content]) => [
          status,
          { description: 'success', content: { [mediaType(routes, version)]: { schema: content } } },
        ]),
      ),
      default: {
        description: 'error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}
