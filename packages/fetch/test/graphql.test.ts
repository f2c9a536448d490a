// GraphQL behind a versioned route, as the FAQ says.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { api, post, version } from '@hv/router'
import { describe, expect, it } from 'vitest'
import { installOnce } from '../../../tools/runtimes.ts'
import { isAll } from '../../../tools/test-all.ts'
import { createRouter } from '../src/index.ts'

const routes = api({ vendorString: 'acme' }, version(1, post('graphql', { to: 'graphs#run' })))

describe.runIf(isAll)('GraphQL Yoga behind a versioned route', () => {
  it.each([
    ['as it is', (request: Request) => request, 406],
    [
      'with the accept that the FAQ sets',
      (request: Request) => {
        request.headers.set('accept', 'application/json')
        return request
      },
      200,
    ],
  ])(
    'gets a request %s',
    async (_name, prepare, status) => {
      const modules = await installOnce(['graphql@16.11.0', 'graphql-yoga@5.15.1'])
      const load = createRequire(join(modules, 'x.js')) as (name: string) => any
      const { createSchema, createYoga } = load('graphql-yoga')
      const schema = createSchema({
        typeDefs: 'type Query { hello: String }',
        resolvers: { Query: { hello: () => 'hi' } },
      })
      const yoga = createYoga({ schema, graphqlEndpoint: '/api/graphql', logging: false })
      const handler = createRouter(routes, {
        1: { graphs: { run: (request) => yoga.fetch(prepare(request)) as Promise<Response> } },
      })
      const response = await handler(
        new Request('http://localhost/api/graphql', {
          method: 'POST',
          headers: {
            accept: 'application/vnd.acme+json;version=1',
            'content-type': 'application/json',
          },
          body: '{"query":"{ hello }"}',
        }),
      )
      expect(response.status).toBe(status)
      if (status === 200) expect(await response.json()).toEqual({ data: { hello: 'hi' } })
    },
    300_000,
  )
})
