import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import compress from '@fastify/compress'
import { type Sent, runAwkwardBodies } from '@hv/router-contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createRouter } from '../src/index.ts'
import { releases } from './releases.ts'

const head = (reply: FastifyReply, { status, headers }: Sent): FastifyReply =>
  reply.code(status).headers(headers)
const pieces = ({ body }: Sent): Readable => {
  const bytes = Buffer.from(body)
  return Readable.from([bytes.subarray(0, 5), bytes.subarray(5)])
}
/** Node's response, after the handler has told Fastify that it responds itself. */
const hijack = (reply: FastifyReply, { status, headers }: Sent): FastifyReply['raw'] => {
  const { raw } = reply.hijack()
  raw.statusCode = status
  for (const [name, value] of Object.entries(headers)) raw.setHeader(name, value)
  return raw
}

const json = 'application/json'
const user: Sent = { status: 200, headers: { 'content-type': json }, body: '' }
const endless = (): Readable =>
  new Readable({
    read(size) {
      this.push(' '.repeat(size))
    },
  })

for (const { version, fastify } of releases)
  runAwkwardBodies({
    name: `Fastify ${version}`,
    header: (name, request: FastifyRequest) => request.headers[name] as string,
    body: ({ body }: FastifyRequest) => body,
    ways: {
      value: (sent, _request, reply: FastifyReply) =>
        head(reply, sent).send(JSON.parse(String(sent.body))),
      text: (sent, _request, reply: FastifyReply) => head(reply, sent).send(sent.body),
      bytes: (sent, _request, reply: FastifyReply) =>
        head(reply, sent).send(Buffer.from(sent.body)),
      hijack: (sent, _request, reply: FastifyReply) => void hijack(reply, sent).end(sent.body),
      writeHead: (sent, _request, reply: FastifyReply) =>
        void reply.hijack().raw.writeHead(sent.status, sent.headers).end(sent.body),
      pipeline: async (sent, _request, reply: FastifyReply) => {
        await pipeline(pieces(sent), hijack(reply, sent))
      },
      end: async (sent, _request, { raw }: FastifyReply) => {
        raw.statusCode = sent.status
        for (const [name, value] of Object.entries(sent.headers)) raw.setHeader(name, value)
        raw.end(sent.body)
      },
    },
    misuses: {
      'pipes to the raw response without an end': (_request, reply: FastifyReply) =>
        void endless().pipe(hijack(reply, user)),
      'sends without an end': (_request, reply: FastifyReply) => reply.type(json).send(endless()),
      'writes, without taking the reply over': (_request, reply: FastifyReply) => {
        reply.raw.setHeader('content-type', json)
        reply.raw.write('[')
        return reply
      },
      'sends a value after a write': (_request, reply: FastifyReply) => {
        reply.raw.setHeader('content-type', json)
        reply.raw.write('[')
        return { fullName: 'Dora' }
      },
      'ends twice': (_request, reply: FastifyReply) => {
        const raw = hijack(reply, user)
        raw.end('{"fullName":')
        raw.end('{"fullName":"Dora"}')
      },
    },
    async serve(routes, controllers, _validator, order) {
      // @fastify/compress is for Fastify 5.
      if (order !== null && !version.startsWith('5 ')) return null
      const app = fastify({ forceCloseConnections: true })
      if (order === 'hook')
        app.addHook('onSend', async (_request, reply, payload) => {
          reply.removeHeader('content-length').header('content-encoding', 'gzip')
          return gzipSync(payload as string)
        })
      const plugin = createRouter(routes as never, controllers as never)
      if (order === 'before') await app.register(compress, { threshold: 0 })
      await app.register(plugin)
      if (order === 'after') await app.register(compress, { threshold: 0 })
      const origin = await app.listen({ port: 0, host: '127.0.0.1' })
      return { request: (path, init) => fetch(origin + path, init), close: () => app.close() }
    },
  })
