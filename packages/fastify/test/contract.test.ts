import { Readable } from 'node:stream'
import { type AdapterUnderTest, decodedPath, runContract, runSmoke } from '@hv/router-contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type RouterOptions, createRouter } from '../src/index.ts'
import { latest, releases } from './releases.ts'

const isAsyncIterable = (value: unknown): value is AsyncIterable<string> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

for (const { version, fastify, cors } of releases) {
  const adapter: AdapterUnderTest = {
    name: `Fastify ${version}`,
    servesExtensions: true,
    pathOf: decodedPath,
    native: (action) =>
      function (this: never, request: FastifyRequest, reply: FastifyReply) {
        const { format, version: served } = request.apiMatch!
        const result = action.call(this, {
          params: request.params as never,
          body: request.body,
          format,
          version: served,
          setHeader: (name, value) => void reply.header(name, value),
        })
        return isAsyncIterable(result) ? Readable.from(result) : result
      },
    async serve({ mounts, replaceProblem, options, cors: handlesCors = false }) {
      const app = fastify({ forceCloseConnections: true })
      if (handlesCors)
        await app.register(cors, { origin: ['https://app.example'], methods: ['GET', 'PUT'] })
      app.setErrorHandler((error: Error | undefined, _request, reply) =>
        reply.code(500).send({ caught: error?.message ?? 'nothing' }),
      )
      app.get('/plain', () => ({ plain: true }))
      const problem: RouterOptions['problem'] = (found, _request, reply) => {
        reply.code(200).type('application/json; charset=utf-8')
        return replaceProblem!(found)
      }
      for (const { routes, controllers, prefix } of mounts)
        await app.register(
          createRouter(routes as never, controllers as never, {
            ...(replaceProblem && { problem }),
            ...options,
          }),
          {
            prefix,
          },
        )
      return { origin: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
    },
  }

  if (version === latest.version) runContract(adapter)
  else runSmoke(adapter)
}
