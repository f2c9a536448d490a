import { action, createRouter, validationErrorHandler } from '../src/index.ts'
import { describe, expect, it } from 'vitest'
import { releases } from './releases.ts'
import { accept, createApps, routes } from './setup.ts'

describe.each(releases)('validationErrorHandler on Fastify $version', (release) => {
  const createApp = createApps(release)
  const handler = () => {
    throw Object.assign(new Error('a conflict'), { statusCode: 409 })
  }
  const query = { type: 'object', properties: { limit: { type: 'integer' } } }
  const tags = { type: 'array', items: { type: 'string', maxLength: 2 } }
  const body = { type: 'object', properties: { 'a/b': { type: 'object', properties: { tags } } } }
  const errors = {
    response: { '4xx': { type: 'object', properties: { statusCode: { type: 'integer' } } } },
  }
  const users = {
    index: action({ schema: { querystring: query, ...errors }, handler }),
    create: action({ schema: { body }, handler }),
    show: handler,
  }
  const serve = () => {
    const app = createApp()
    app.setErrorHandler(validationErrorHandler)
    return app.register(createRouter(routes, { 1: { users }, 2: { users } } as never))
  }

  it('responds with a problem document', async () => {
    const response = await serve().inject({
      url: '/api/users?limit=x',
      headers: { accept: accept(1) },
    })
    expect(response.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      vary: expect.stringContaining('Accept'),
    })
    expect([response.statusCode, response.json()]).toEqual([
      400,
      {
        type: 'urn:hv-router:invalid-request',
        title: 'Invalid request',
        status: 400,
        detail: 'query/limit must be integer',
        part: 'query',
        issues: [{ pointer: '/limit', message: 'must be integer' }],
      },
    ])
  })
  it('says where in a body', async () => {
    const payload = { 'a/b': { tags: ['a', 'long'] } }
    const response = await serve().inject({ method: 'POST', url: '/api/users', payload })
    expect(response.json()).toMatchObject({ part: 'body', issues: [{ pointer: '/a~1b/tags/1' }] })
  })
  it('leaves other errors to Fastify', async () => {
    const response = await serve().inject('/api/users/7')
    expect([response.statusCode, response.json()]).toMatchObject([409, { message: 'a conflict' }])
  })
})
