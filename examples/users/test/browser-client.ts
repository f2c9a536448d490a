// The script of the page in browser-client.test.ts: @hv/router-client in a browser.
import { ClientError, createClient, typesOf } from '@hv/router-client'
import type { createUsersController } from '../controllers/api/v1/users_controller.ts'
import type { UsersController } from '../controllers/api/v2/users_controller.ts'
import { routes } from '../src/routes.ts'

interface Controllers {
  1: { users: ReturnType<typeof createUsersController> }
  2: { users: UsersController }
}

export async function run(baseUrl: string, credentials: { username: string; password: string }) {
  let token = ''
  const client = createClient(routes, {
    baseUrl,
    version: 2,
    types: typesOf<Controllers>,
    // An empty token would be refused, even by a route that needs none.
    headers: (): Record<string, string> =>
      token === '' ? {} : { authorization: `Bearer ${token}` },
  })
  const refused = await client.users.index().catch((reason: unknown) => reason)
  const { data, error, response } = await client.users.create.result({ body: credentials })
  if (error !== null) throw error
  token = (await client.users.login({ body: credentials })).jwt
  const { items } = await client.users.index({ query: { limit: '1' } })
  await client.users.update({ id: data.data.insertId, body: { name: 'Dora' } })
  const { name } = await client.users.show({ id: data.data.insertId })
  const stopped = new AbortController()
  stopped.abort()
  const aborted = await client.users
    .index({ signal: stopped.signal })
    .catch((reason: Error) => reason.name)
  return {
    refused: refused instanceof ClientError && refused.status,
    location: response.headers.get('location'),
    version: response.headers.get('api-version'),
    usernames: items.map(({ username }) => username),
    name,
    aborted,
  }
}
Object.assign(globalThis, { run })
