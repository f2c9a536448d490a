// Apps with events beside the actions of routes. They use no Node API, as the others.
import { api, became, change, createEvents, event, get, inherit, version } from '@hv/router'
import { before } from '@hv/router/adapter'
import type { AdapterUnderTest, AppUnderTest } from './types.ts'

const userWith = (name: string) => ({
  type: 'object',
  properties: { id: { type: 'string' }, [name]: { type: 'string' } },
})
const User = userWith('fullName')
const fullName = change(
  'A name is called fullName.',
  became(userWith('name'), User, {
    down: ({ id, fullName: name }: Record<string, unknown>) => ({ id, name }),
  }),
)
const created = event(
  { type: 'object', properties: { api_version: { type: 'integer' }, user: User } },
  {
    handler: (user: object, { version: receiver }: { readonly version: number }) => ({
      api_version: receiver,
      user,
    }),
  },
)
const events = { users: { created } }
const routes = api(
  { vendorString: 'acme' },
  version(1, get('events', { to: 'users#subscribe' })),
  version(2, inherit({ from: 1 })),
)
const send = createEvents(routes, { 1: before(events, fullName), 2: events })

export const eventApps = {
  events(native: AdapterUnderTest['native']): Omit<AppUnderTest, 'name'> {
    const subscribe = native((exchange) =>
      send.users.created({ id: '1', fullName: 'Ann' }, { version: exchange.version }),
    )
    const users = { subscribe, created }
    return { mounts: [{ routes, controllers: { 1: { users }, 2: { users } }, prefix: '' }] }
  },
}
