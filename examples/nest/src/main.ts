import 'reflect-metadata'
import { type INestApplication, Logger } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { AppModule } from './app.module.ts'
import { setupDocuments } from './documents.ts'

const app =
  process.env['PLATFORM'] === 'fastify'
    ? await NestFactory.create(
        AppModule,
        new (await import('@nestjs/platform-fastify')).FastifyAdapter(),
      )
    : await NestFactory.create<INestApplication>(AppModule)
setupDocuments(app)
await app.listen(process.env['PORT'] ?? 3000)
new Logger('main').log(`The documents are at ${await app.getUrl()}/docs/v2.`)
