// The APIs that the suite asks, and their controllers.
import { Readable } from 'node:stream'
import { api, cache, collection, get, inherit, member, post, resource, resources, version } from '@hv/router'
import type { AdapterUnderTest, NeutralAction } from './index.ts'

export const routes = api(
  { vendorString: 'acme' },
  version(
    1,
    cache(
      { as: 'v1' },
      resources(
        'users',
        { except: ['new', 'edit'] },
        resources('posts', { only: ['index', 'show'] }),
        member(post('ban')),
        collection(get('search')),
      ),
      resource('profile', { only: 'show' }),
      get('broken', { to: 'failures#broken' }),
      get('rejected', { to: 'failures#rejected' }),
      get('stream', { to: 'streams#show' }),
    ),
  ),
  version(2, cache({ as: 'v2' }, inherit({ from: 'v1' }), resources('teams', { only: ['index', 'new', 'show'] }))),
  version(4, inherit({ from: 'v2', except: 'users' }), resources('users', { only: 'show' })),
)

/** A second API for the same app: another vendor, another path, a version of the same number. */
export const otherRoutes = api(
  { vendorString: 'other', path: '/other' },
  version(2, get('users', { to: 'things#show' }), post('users', { to: 'things#make' })),
)
export const createOtherControllers = (native: AdapterUnderTest['native']): object => ({
  2: {
    things: {
      show: native(({ version }) => ({ other: version })),
      make: native(({ body }) => ({ made: body })),
    },
  },
})

const say = (what: string): NeutralAction =>
  function ({ params, format, version }) {
    return { say: `${this.greeting} ${what}`, params, format, version }
  }

/** The controllers of the suite, as the adapter under test takes them. */
export function createControllers(native: AdapterUnderTest['native']): object {
  const methods = (actions: Record<string, NeutralAction>, greeting: string) => {
    // As classes have it: the actions on the prototype, the state on the instance.
    const prototype = Object.fromEntries(Object.entries(actions).map(([name, action]) => [name, native(action)]))
    return Object.assign(Object.create(prototype) as object, { greeting })
  }
  const users: Record<string, NeutralAction> = {
    index: say('users'),
    show: say('user'),
    update: say('updated'),
    destroy: say('destroyed'),
    ban: say('banned'),
    search: say('found'),
    create({ body, version }) {
      return { created: body, version }
    },
  }
  const posts = { index: say('posts'), show: say('post') }
  const profiles = { show: say('profile') }
  const failures: Record<string, NeutralAction> = {
    broken() {
      throw new Error('broken handler')
    },
    async rejected() {
      await Promise.resolve()
      throw new Error('rejected handler')
    },
  }
  const streams: Record<string, NeutralAction> = {
    show: () => Readable.from(['{"streamed":', 'true}']),
  }
  const teams = { index: say('teams'), new: say('new team'), show: say('team') }
  const of = (greeting: string, controllers: Record<string, Record<string, NeutralAction>>) =>
    Object.fromEntries(Object.entries(controllers).map(([name, actions]) => [name, methods(actions, greeting)]))

  return {
    1: of('one', { users, posts, profiles, failures, streams }),
    2: of('two', { users: { ...users, show: say('overridden user') }, posts, profiles, failures, streams, teams }),
    4: of('four', { users, posts, profiles, failures, streams, teams }),
  }
}
