// Hooks of the app that decide by the URL or by the route stand in front of the router.
import { createGuardTest, report, runRequestLines } from '@hv/router-contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createRouter } from '../src/index.ts'
import { releases } from './releases.ts'

for (const { version, fastify } of releases.filter(({ version: name }) =>
  name.endsWith('(latest)'),
))
  runRequestLines({
    name: `Fastify ${version}`,
    async serve(apis) {
      const delimiter = version.startsWith('4') ? /[?#;]/ : /[?#]/
      const app = fastify({ forceCloseConnections: true })
      const guards = apis.flatMap(({ mount, guards: paths }) =>
        paths.map((path) => ({ path, test: createGuardTest(mount + path) })),
      )
      const ran = new WeakMap<FastifyRequest, string[]>()
      app.addHook('onRequest', async (request) => {
        const path = request.url.split(delimiter, 1)[0]!
        ran.set(
          request,
          guards.filter(({ test }) => test(path)).map((guard) => guard.path),
        )
      })
      const handler = (request: FastifyRequest, reply: FastifyReply) => {
        const { version: number, row } = request.apiMatch!
        return reply.header('x-served', report(number, row.pattern, ran.get(request)!)).send({})
      }
      for (const { mount, routes, controllers } of apis)
        await app.register(createRouter(routes, controllers(handler) as never), { prefix: mount })
      return { origin: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
    },
  })
