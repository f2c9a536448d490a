// What `figures.ts ratio` compares with: the same plugins, guard, store and handler in Fastify alone, without versions.
import fastify, { type FastifyRequest } from 'fastify'
import { createAuthenticate } from '../src/auth/authenticate.ts'
import { commonHeaders } from '../src/http/common-headers.ts'
import { serveMetrics } from '../src/http/metrics.ts'
import { User } from '../src/http/schemas.ts'
import { readId } from '../src/http/user-id.ts'
import { openMysqlStore } from '../src/store/open-store.ts'
import { tokens } from '../test/services.ts'

const store = openMysqlStore({ url: process.env['DATABASE_URL']! })
const app = fastify({ logger: { level: 'silent' } })
app.decorateRequest('actor', null)
app.decorateRequest('foundUser', null)
app.decorateRequest('apiMatch', null)
app.decorateRequest('refusal', null)
app.addHook('onRequest', async (request, reply) => void reply.headers(commonHeaders(request.id)))
app.addHook('onSend', async () => {})
serveMetrics(app, tokens, { prepared: true, draining: false })
app.get('/users/:id', {
  onRequest: createAuthenticate(store, tokens, () => {}),
  preValidation: readId,
  schema: { response: { 200: User } },
  handler: async ({ foundUser }: FastifyRequest) => foundUser,
})
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
