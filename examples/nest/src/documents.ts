import { createVersionDocument } from '@hv/router-nest/swagger'
import type { INestApplication } from '@nestjs/common'
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger'
import { controllers } from './app.module.ts'
import { routes } from './routes.ts'

/**
 * Serves Swagger UI for each version: /docs/v1 and /docs/v2. /docs has them in a dropdown, together
 * with the app's other routes.
 */
export function setupDocuments(app: INestApplication): void {
  const builder = new DocumentBuilder().setTitle('Acme users').addBearerAuth()
  for (const version of [1, 2] as const) {
    const config = builder.setVersion(`${version}.0`).build()
    const document = createVersionDocument(app, routes, controllers, version, config)
    SwaggerModule.setup(`docs/v${version}`, app, document)
  }
  const everything = SwaggerModule.createDocument(app, builder.build())
  const newest = createVersionDocument(app, routes, controllers, 2, everything)
  SwaggerModule.setup('docs', app, newest, {
    explorer: true, // the dropdown
    swaggerOptions: {
      urls: [
        { name: 'Everything, version 2', url: '/docs-json' },
        { name: 'Version 2', url: '/docs/v2-json' },
        { name: 'Version 1', url: '/docs/v1-json' },
      ],
    },
  })
}
