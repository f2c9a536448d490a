import fastifyStatic from '@fastify/static'
import { answerError, headOnFastify, onFastify, runDerived } from '@hv/router-contract'
import type { FastifyRequest } from 'fastify'
import { some } from '../../../tools/test-all.ts'
import { createRouter } from '../src/index.ts'
import { latest, releases } from './releases.ts'

for (const release of some(releases, 2)) {
  const { version, fastify } = release
  const sendsFiles = version.startsWith('5') // @fastify/static is for Fastify 5
  runDerived({
    ...onFastify({ sendsFiles, isOld: release !== latest }),
    name: `Fastify ${version}`,
    header: (name, request: FastifyRequest) => request.headers[name] as string,
    async serve({ routes, controllers, handler }) {
      const app = fastify({ forceCloseConnections: true })
      app.setErrorHandler((error, _request, reply) => {
        const { text, ...head } = answerError(error)
        return headOnFastify(reply, head).send(JSON.parse(text))
      })
      if (sendsFiles) await app.register(fastifyStatic, { root: '/', serve: false })
      app.get('/native', handler as never)
      await app.register(createRouter(routes, controllers))
      const origin = await app.listen({ port: 0, host: '127.0.0.1' })
      return { origin, close: () => app.close() }
    },
  })
}
