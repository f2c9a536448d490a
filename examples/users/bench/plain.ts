// What `figures.ts cost` compares with: Fastify and mysql2 alone, with the same two selects and the same token check.
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
  const [actors] = await pool.execute<RowDataPacket[]>(
    'SELECT id, role, token_version FROM users WHERE id = ?',
    [sub],
  )
  if (actors[0]?.['token_version'] !== tv) return reply.code(401).send()
  const columns = 'id, username, name, created_at AS createdAt, updated_at AS updatedAt'
  const [users] = await pool.execute<RowDataPacket[]>(`SELECT ${columns} FROM users WHERE id = ?`, [
    params.id,
  ])
  return users[0] ?? reply.code(404).send()
})
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
