import { api, resources, version } from '@hv/router'
import { Ajv } from 'ajv'
import express, { type NextFunction, type Request, type Response } from 'express'
import { expect, it } from 'vitest'
import { ajvValidator, createRouter, validationErrorHandler } from '../src/index.ts'
import { jsonOf, listen, send } from './listen.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, resources('users', { only: ['index', 'show'] })),
)
const querystring = { type: 'object', properties: { limit: { type: 'integer' } } }
const users = {
  index: { schema: { querystring }, handler: (_req: Request, res: Response) => void res.json([]) },
  show: () => {
    throw new Error('a bug')
  },
}
const serve = () => {
  const router = createRouter(routes, { 1: { users } }, { validator: ajvValidator(new Ajv()) })
  const rest = (error: Error, _req: Request, res: Response, _next: NextFunction) =>
    res.status(500).json(error.message)
  return listen(express().use(router, validationErrorHandler, rest))
}

it("responds with a problem document to a request that doesn't match its schema", async () => {
  const response = await send(await serve(), { path: '/api/users?limit=x' })
  expect(response.status).toBe(400)
  expect(response.headers).toMatchObject({
    'content-type': 'application/problem+json; charset=utf-8',
    vary: 'Accept',
  })
  expect(jsonOf(response)).toEqual({
    type: 'urn:hv-router:invalid-request',
    title: 'Invalid request',
    status: 400,
    detail: 'query/limit must be integer',
    part: 'query',
    issues: [{ pointer: '/limit', message: 'must be integer' }],
  })
})
it('leaves other errors to the next error handler', async () => {
  const response = await send(await serve(), { path: '/api/users/7' })
  expect([response.status, jsonOf(response)]).toEqual([500, 'a bug'])
})
