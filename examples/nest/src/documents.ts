import { createVersionDocument } from '@hv/router-nest/swagger'
import type { INestApplication } from '@nestjs/common'
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger'
import { controllers } from './app.module.ts'
import { routes } from './routes.ts'

/** Serves Swagger UI for each version: /docs/v1 and /docs/v2. */
export function setupDocuments(app: INestApplication): void {
  for (const version of [1, 2] as const) {
    const config = new DocumentBuilder()
      .setTitle('Acme users')
      .setVersion(`${version}.0`)
      .addBearerAuth()
      .build()
    SwaggerModule.setup(
      `docs/v${version}`,
      app,
      createVersionDocument(app, routes, controllers, version, config),
    )
  }
}
