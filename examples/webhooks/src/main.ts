import { createRouter } from '@hv/router-fastify'
import fastify from 'fastify'
import { db } from './database.ts'
import { routes } from './routes.ts'
import { stream } from './stream.ts'
import { v1, v2 } from './versions.ts'
import { runWorker } from './worker.ts'

const app = fastify({ logger: true })
app.register(createRouter(routes, { 1: { ...v1, stream }, 2: { ...v2, stream } }))
await app.listen({ port: Number(process.env['PORT'] ?? 3000) })

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
await runWorker(stopping.signal)
await app.close()
db.close()
