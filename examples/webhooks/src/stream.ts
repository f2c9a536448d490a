import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { action } from '@hv/router-fastify'
import { Type } from '@sinclair/typebox'
import { readOutbox } from './outbox.ts'
import { events } from './versions.ts'

/** Server-sent events, in the version of the subscriber's request. */
export const stream = {
  open: action({
    schema: { headers: Type.Object({ 'last-event-id': Type.Integer({ default: 0 }) }) },
    handler({ apiMatch, headers, server: { server } }, reply) {
      async function* messages(last: number) {
        while (server.listening) {
          for (const { sequence, event, user } of readOutbox('sequence > ?', last)) {
            const payload = events.webhooks[event](user, apiMatch)
            if (payload !== null) yield `id: ${sequence}\ndata: ${JSON.stringify(payload)}\n\n`
            last = sequence
          }
          yield ':\n\n' // a comment, because only a write shows that a subscriber has gone
          await wait(1000)
        }
      }
      reply.headers({ 'content-type': 'text/event-stream', connection: 'close' })
      return reply.send(Readable.from(messages(headers['last-event-id'])))
    },
  }),
}
