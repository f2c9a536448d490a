import { randomBytes } from 'node:crypto'
import { action } from '@hv/router-fastify'
import { Type } from '@sinclair/typebox'
import { db } from './database.ts'
import { changeUser } from './outbox.ts'
import { User } from './webhooks.ts'

export const Name = Type.Object({ first: Type.String({ minLength: 1 }), last: Type.String() })
const Url = Type.Object({ url: Type.String({ format: 'uri', pattern: '^https?://' }) })
const params = Type.Object({ id: Type.Integer() })

export const users = {
  create: action({
    schema: { body: Name, response: { 201: User } },
    handler({ body: { first, last } }, reply) {
      const sql = 'INSERT INTO users (first, last) VALUES (?, ?) RETURNING *'
      return reply.code(201).send(changeUser('userCreated', sql, [first, last]))
    },
  }),
  update: action({
    schema: { params, body: Name, response: { 200: User } },
    handler({ params: { id }, body: { first, last } }, reply) {
      const sql = 'UPDATE users SET first = ?, last = ? WHERE id = ? RETURNING *'
      return changeUser('userRenamed', sql, [first, last, id]) ?? reply.callNotFound()
    },
  }),
}

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

export const endpoints = {
  /** Pins the endpoint to the version of this request. */
  create: action({
    schema: { body: Url },
    handler({ body: { url }, apiMatch: { version } }, reply) {
      const insert = db.prepare(`INSERT INTO endpoints (url, version, secret) VALUES (?, ?, ?)
        RETURNING id, url, version, secret`)
      return reply.code(201).send(insert.get(url, version, newSecret()))
    },
  }),
  /** Replaces the secret. The previous one also signs until the next rotation. */
  rotate: action({
    schema: { params },
    handler({ params: { id } }, reply) {
      const update = db.prepare(`UPDATE endpoints SET secret = ?, previousSecret = secret
        WHERE id = ? RETURNING id, secret`)
      return update.get(newSecret(), id) ?? reply.callNotFound()
    },
  }),
  /** Removes the endpoint, and with it the deliveries that wait for it. */
  destroy: action({
    schema: { params },
    handler({ params: { id } }, reply) {
      db.prepare('DELETE FROM endpoints WHERE id = ?').run(id)
      return reply.code(204).send()
    },
  }),
}
