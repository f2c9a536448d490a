import 'reflect-metadata'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { INestApplication, Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { onTestFinished } from 'vitest'

/** The release that the tests run on: this package's own, or an older one (see vitest.workspace.ts). */
export const release = process.env['NEST_RELEASE'] ?? 'nest12'

export const platforms = [
  { name: 'Express', create: () => new ExpressAdapter() },
  { name: 'Fastify', create: () => new FastifyAdapter({ forceCloseConnections: true }) },
] as const
export type Platform = (typeof platforms)[number]

/** Starts an app on a free port. Returns its origin. */
export async function listen(app: INestApplication): Promise<string> {
  await app.listen(0, '127.0.0.1')
  return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Creates an app that's closed when the test has finished. */
export async function createApp(
  root: Type,
  { create }: Platform,
  logger: object | false = false,
): Promise<INestApplication> {
  const app = await NestFactory.create(root, create() as never, {
    logger: logger as never,
    abortOnError: false,
  })
  onTestFinished(() => app.close())
  return app
}

/** Keeps the warnings of this package. Nest has some of its own. */
export function createLogger() {
  const warnings: string[] = []
  const ignore = () => {}
  return {
    warnings,
    log: ignore,
    error: ignore,
    debug: ignore,
    verbose: ignore,
    warn: (line: string, context?: string) =>
      context === 'VersionedApiModule' && warnings.push(line),
  }
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Null if the text isn't JSON. */
  readonly body: any
}

export async function send(url: string, init: RequestInit = {}): Promise<Received> {
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(300_000),
    ...init,
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: /^[[{]/.test(text) ? JSON.parse(text) : null,
  }
}

/** The headers of a request for a version of the vendor `acme`. */
export const as = (n: number, more: Record<string, string> = {}): Record<string, string> => ({
  accept: `application/vnd.acme+json;version=${n}`,
  ...more,
})
