// What `figures.ts cost` compares with: Fastify and mysql2 alone, with the same select and the same token check.
import { createDecoder, createVerifier } from 'fast-jwt'
import fastify from 'fastify'
import { type RowDataPacket, createPool } from 'mysql2/promise'
import { secret } from '../test/services.ts'

const pool = createPool({ uri: process.env['DATABASE_URL']!, connectionLimit: 10, timezone: 'Z' })
const decode = createDecoder({ complete: true })
const verify = createVerifier({ key: secret, algorithms: ['HS256'], cache: false })
const app = fastify()
app.get<{ Params: { id: string } }>('/users/:id', async ({ headers, params }, reply) => {
  const token = headers.authorization!.slice('Bearer '.length)
  decode(token)
  const { sub, tv } = verify(token) as { sub: string; tv: number }
  const columns = 'id, username, name, created_at AS createdAt, updated_at AS updatedAt'
  const [users] = await pool.execute<RowDataPacket[]>(
    `SELECT ${columns}, role, token_version FROM users WHERE id IN (?, ?)`,
    [sub, params.id],
  )
  const actor = users.find(({ id }) => String(id) === sub)
  if (actor?.['token_version'] !== tv) return reply.code(401).send()
  const user = users.find(({ id }) => String(id) === params.id)
  if (user === undefined) return reply.code(404).send()
  const { role: _role, token_version: _version, ...shown } = user
  return shown
})
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
