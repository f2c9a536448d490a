import 'reflect-metadata'
import type { AddressInfo } from 'node:net'
import type { INestApplication, Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { onTestFinished } from 'vitest'

export const platforms = [
  { name: 'Express', create: () => new ExpressAdapter() },
  { name: 'Fastify', create: () => new FastifyAdapter({ forceCloseConnections: true }) },
] as const
type Platform = (typeof platforms)[number]

/** The release that the tests run on: that of this package, or an older one (see vitest.workspace.ts). */
export const release = process.env['NEST_RELEASE'] ?? 'nest12'

/** Starts an app on a free port. Returns its origin. */
export async function listen(app: INestApplication): Promise<string> {
  await app.listen(0, '127.0.0.1')
  return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`
}

/** Creates an app that is closed after the test. */
export async function createApp(
  root: Type,
  { create }: Platform,
  logger: object | false = false,
): Promise<INestApplication> {
  const app = await NestFactory.create(root, create() as never, { logger: logger as never, abortOnError: false })
  onTestFinished(() => app.close())
  return app
}
