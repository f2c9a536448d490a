import { type AdapterUnderTest, runContract } from '@hv/router-contract'
import { runOriginal } from '@hv/router-contract/original'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createRouter } from '../src/index.ts'
import { releases } from './releases.ts'

for (const { version, fastify, cors } of releases) {
  const adapter: AdapterUnderTest = {
    name: `Fastify ${version}`,
    native: (action) =>
      function (this: never, request: FastifyRequest) {
        const { format, version: served } = request.apiMatch!
        return action.call(this, { params: request.params as never, body: request.body, format, version: served })
      },
    async serve({ mounts, replaceProblem = false, cors: handlesCors = false }) {
      const app = fastify({ forceCloseConnections: true })
      if (handlesCors) await app.register(cors, { origin: ['https://app.example'], methods: ['GET', 'PUT'] })
      app.setErrorHandler((error: Error, _request, reply) => reply.code(500).send({ caught: error.message }))
      app.get('/plain', () => ({ plain: true }))
      const options = {
        problem(problem: { type: string }, _request: FastifyRequest, reply: FastifyReply) {
          reply.code(200).type('application/json; charset=utf-8')
          return { mine: problem.type }
        },
      }
      for (const { routes, controllers, prefix } of mounts)
        await app.register(createRouter(routes as never, controllers as never, replaceProblem ? options : {}), {
          prefix,
        })
      return { origin: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
    },
  }

  runContract(adapter)
  runOriginal(adapter)
}
