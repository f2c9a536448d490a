import 'reflect-metadata'
import type { INestApplication } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { validDocument } from '../../../packages/nest/test/valid-document.ts'
import { AppModule } from '../src/app.module.ts'
import { setupDocuments } from '../src/documents.ts'

const platforms = [
  { name: 'Express', create: () => new ExpressAdapter() },
  { name: 'Fastify', create: () => new FastifyAdapter() },
]

describe.each(platforms)('the app on $name', ({ create }) => {
  let app: INestApplication
  let origin: string
  beforeEach(async () => {
    app = await NestFactory.create(AppModule, create() as never, {
      logger: ['error', 'warn'],
      abortOnError: false,
    })
    setupDocuments(app)
    await app.listen(0, '127.0.0.1')
    origin = await app.getUrl()
  })
  afterEach(() => app.close())

  const ask = async (version: number, path: string, init: RequestInit = {}) => {
    const accept = `application/vnd.acme+json;version=${version}`
    const response = await fetch(origin + path, { ...init, headers: { accept, ...init.headers } })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    }
  }
  const create2 = (version: number, body: object) =>
    ask(version, '/api/users', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('serves each version with its DTO', async () => {
    expect((await ask(1, '/api/users/7')).body).toEqual({ id: 7, name: 'Ann Lee' })
    expect((await ask(2, '/api/users/7')).body).toEqual({
      id: 7,
      first: 'Ann',
      last: 'Lee',
      email: 'ann@acme.example',
    })
    expect((await ask(2, '/api/users')).body).toHaveLength(1)
  })

  it('validates each version', async () => {
    expect(await create2(1, { name: 'Bob Ray' })).toMatchObject({
      status: 201,
      body: { id: 8, name: 'Bob Ray' },
    })
    expect(await create2(2, { name: 'Cy Fox' })).toMatchObject({
      status: 400,
      body: { message: ['email must be an email'] },
    })
    expect(await create2(2, { name: 'Cy Fox', email: 'cy@acme.example' })).toMatchObject({
      status: 201,
      body: { id: 9 },
    })
  })

  it('guards a method in the version that inherits it', async () => {
    expect((await ask(2, '/api/users/7', { method: 'DELETE' })).status).toBe(401)
    const headers = { authorization: 'Bearer admin' }
    expect((await ask(2, '/api/users/7', { method: 'DELETE', headers })).status).toBe(204)
    expect((await ask(2, '/api/users/7')).status).toBe(404)
  })

  it('announces the end of version 1', async () => {
    const [one, two] = [await ask(1, '/api/users/7'), await ask(2, '/api/users/7')]
    expect(one.headers.get('sunset')).toBe('Thu, 01 Jan 2099 00:00:00 GMT')
    expect(two.headers.get('sunset')).toBeNull()
  })

  it('serves a document per version', async () => {
    const documents = await Promise.all(
      ['/v1', '/v2', ''].map(async (path) => (await fetch(`${origin}/docs${path}-json`)).json()),
    )
    for (const document of documents) await validDocument(document as object)
    const [one, two] = documents.map((document: any) => document.paths['/api/users/{id}'].get)
    expect(documents.map(({ paths }: any) => '/health' in paths)).toEqual([false, false, true])
    expect([one.deprecated, two.deprecated]).toEqual([true, undefined])
    expect(Object.keys(two.responses['200'].content)).toEqual([
      'application/vnd.acme+json;version=2',
    ])
  })
})
