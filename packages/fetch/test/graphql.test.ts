// GraphQL behind a versioned route, as the FAQ says.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { api, post, version } from '@hv/router'
import { describe, expect, it } from 'vitest'
import { installOnce } from '../../../tools/runtimes.ts'
import { isAll } from '../../../tools/test-all.ts'
import { createRouter } from '../src/index.ts'

const routes = api({ vendorString: 'acme' }, version(1, post('graphql', { to: 'graphs#run' })))

type Load = (name: string) => any
type Run = (request: Request) => Promise<Response>
const typeDefs = 'type Query { hello: String }'
const resolvers = { Query: { hello: () => 'hi' } }

function createYogaRun(load: Load): Run {
  const { createSchema, createYoga } = load('graphql-yoga')
  const schema = createSchema({ typeDefs, resolvers })
  const yoga = createYoga({ schema, graphqlEndpoint: '/api/graphql', logging: false })
  return (request) => yoga.fetch(request)
}

function createApolloRun(load: Load): Run {
  const { ApolloServer, HeaderMap } = load('@apollo/server')
  const server = new ApolloServer({ typeDefs, resolvers, stopOnTerminationSignals: false })
  server.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests()
  return async (request) => {
    const { search } = new URL(request.url)
    const body = await request.json()
    const {
      status,
      headers,
      body: answer,
    } = await server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: 'POST', headers: new HeaderMap(request.headers), search, body },
      context: async () => ({}),
    })
    return new Response(answer.string, { status: status ?? 200, headers: [...headers] })
  }
}

const asItIs = (request: Request) => request
const asInTheFaq = (request: Request) => {
  request.headers.set('accept', 'application/json')
  return request
}

describe.runIf(isAll)('behind a versioned route', () => {
  it.each([
    ['GraphQL Yoga', 'graphql-yoga@5.15.1', createYogaRun],
    ['Apollo Server', '@apollo/server@5.5.1', createApolloRun],
  ])(
    '%s responds if the request has the accept that the FAQ sets',
    async (_name, server, createRun) => {
      const modules = await installOnce(['graphql@16.11.0', server])
      const run = createRun(createRequire(join(modules, 'x.js')))
      const ask = async (prepare: (request: Request) => Request) => {
        const graphs = { run: (request: Request) => run(prepare(request)) }
        return createRouter(routes, { 1: { graphs } })(
          new Request('http://localhost/api/graphql', {
            method: 'POST',
            headers: {
              accept: 'application/vnd.acme+json;version=1',
              'content-type': 'application/json',
            },
            body: '{"query":"{ hello }"}',
          }),
        )
      }
      expect((await ask(asItIs)).status).toBe(406)
      const response = await ask(asInTheFaq)
      expect([response.status, await response.json()]).toEqual([200, { data: { hello: 'hi' } }])
    },
  )
})
