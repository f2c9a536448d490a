import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { type OpenApiDocument, openapi } from '@hv/router-openapi'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { serviceVersion } from '../config.ts'
import { routes } from '../routes.ts'

const ErrorBody = Type.Object({
  status: Type.Literal(false),
  code: Type.Integer({ description: 'the HTTP status' }),
  message: Type.String(),
  error: Type.String({ description: 'a stable identifier for programs' }),
  requestId: Type.String(),
})

const error = {
  description: 'error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

/** Creates one version's OpenAPI document, in which every error has the same body. */
export const createDocument = (version: 1 | 2, controllers: object): OpenApiDocument =>
  openapi(routes, controllers, {
    version,
    info: { title: 'Users', version: serviceVersion },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: ErrorBody },
    },
    responses: { default: error },
  })

/**
 * Serves `/openapi/v<n>.json` for each version, and `/docs`, a page that shows them without loading
 * anything from other hosts.
 */
export function serveDocs(app: FastifyInstance, controllers: object): void {
  const documents = ([1, 2] as const).map((version) => ({
    version,
    document: createDocument(version, controllers),
  }))
  for (const { version, document } of documents) {
    const json = JSON.stringify(document)
    app.get(`/openapi/v${version}.json`, (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(json),
    )
  }
  app.register(swagger, {
    mode: 'static',
    specification: { document: documents[1]!.document as never },
  })
  app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: {
      urls: documents.map(({ version }) => ({
        name: `Version ${version}`,
        url: `/openapi/v${version}.json`,
      })),
      layout: 'StandaloneLayout', // the layout with the list of documents
      persistAuthorization: true,
      tryItOutEnabled: true,
    } as never,
  })
}
