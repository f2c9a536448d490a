// The suite's APIs and their controllers. They use no Node API, so that the suite also runs on
// other runtimes.
import {
  api,
  cache,
  collection,
  get,
  inherit,
  member,
  post,
  resource,
  resources,
  version,
} from '@hv/router'
import type { AdapterUnderTest, NeutralAction } from './types.ts'

/** The media type of the first API, without a version. */
export const vendorType = 'application/vnd.acme+json'
/** An Accept header that names a version: `acceptOf(2, ';q=0.5')`. */
export const acceptOf = (number: number, rest = ''): string =>
  `${vendorType};version=${number}${rest}`

export const routes = api(
  { vendorString: 'acme', formats: ['json', 'xml'] },
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
      get('thrown', { to: 'failures#thrown' }),
      get('rejected', { to: 'failures#rejected' }),
      get('empty-rejection', { to: 'failures#emptyRejection' }),
      get('rejected-thenable', { to: 'failures#rejectedThenable' }),
      get('foreign-rejection', { to: 'failures#foreignRejection' }),
      get('thenable', { to: 'bodies#thenable' }),
      get('stream', { to: 'bodies#stream' }),
      get('text', { to: 'bodies#text' }),
      get('headers', { to: 'headers#show' }),
      get('vary-all', { to: 'headers#varyAll' }),
    ),
  ),
  version(
    2,
    cache(
      { as: 'v2' },
      inherit({ from: 'v1' }),
      resources('teams', { only: ['index', 'new', 'show'] }),
    ),
  ),
  version(4, inherit({ from: 'v2', except: 'users' }), resources('users', { only: 'show' })),
)

/** An API that leaves out `formats`. */
export const plainRoutes = api(
  { vendorString: 'acme' },
  version(
    1,
    resources('users', { only: ['index', 'show', 'create'] }),
    get('files/*path', { to: 'users#search' }),
  ),
)
/** An API at the root. */
export const rootRoutes = api(
  { vendorString: 'acme', path: '' },
  version(1, get(':id', { to: 'users#show' }), get('a/*path', { to: 'users#search' })),
)
/** A second API for the same app: another vendor, another path, a version of the same number. */
export const otherRoutes = api(
  { vendorString: 'other', path: '/other' },
  version(2, get('users', { to: 'things#show' }), post('users', { to: 'things#make' })),
)
/** A third API: another vendor below the first API's prefix. */
export const neighborRoutes = api(
  { vendorString: 'other' },
  version(2, get('things', { to: 'things#show' })),
)

export const createOtherControllers = (native: AdapterUnderTest['native']): object => ({
  2: {
    things: {
      show: native((exchange) => ({ other: exchange.version })),
      make: native(({ body }) => ({ made: body })),
    },
  },
})

const serve = (what: string): NeutralAction =>
  function (exchange) {
    const { params, format } = exchange
    return { served: `${this.greeting} ${what}`, params, format, version: exchange.version }
  }

const users: Record<string, NeutralAction> = {
  index: serve('users'),
  show: serve('user'),
  update: serve('updated'),
  destroy: serve('destroyed'),
  ban: serve('banned'),
  search: serve('found'),
  create(exchange) {
    return { created: exchange.body, version: exchange.version }
  },
}

const failures: Record<string, NeutralAction> = {
  thrown() {
    throw new Error('thrown error')
  },
  async rejected() {
    await Promise.resolve()
    throw new Error('rejected error')
  },
  emptyRejection: () => Promise.reject(), // oxlint-disable-line prefer-promise-reject-errors
  rejectedThenable: () => thenable((_resolve, reject) => reject(new Error('error of a thenable'))),
  /** A promise from another realm isn't an `instanceof Promise`. */
  foreignRejection: () =>
    Object.setPrototypeOf(Promise.reject(new Error('error of another realm')), foreignPromise),
}

/** The prototype of another realm's promises: a different object with the same methods. */
const foreignPromise = Object.create(Object.prototype, {
  ...Object.getOwnPropertyDescriptors(Promise.prototype),
  constructor: { value: Object },
}) as object

async function* streamed(): AsyncGenerator<string> {
  yield '{"streamed":'
  yield 'true}'
}

const bodies: Record<string, NeutralAction> = {
  thenable: () => thenable((resolve) => resolve({ thenable: true })),
  stream: streamed,
  text: () => 'plain text',
}

const headers: Record<string, NeutralAction> = {
  show({ setHeader }) {
    setHeader('Vary', 'Origin')
    setHeader('API-Version', 'own')
    setHeader('Content-Type', 'application/vnd.own+json')
    return { own: true }
  },
  varyAll({ setHeader }) {
    setHeader('Vary', '*')
    return {}
  },
}

/** An object with a `then` method, such as query builders return. */
function thenable(
  settle: (resolve: (value: unknown) => unknown, reject: (error: unknown) => unknown) => unknown,
): object {
  const then = (resolve: () => unknown, reject: () => unknown): void =>
    void setTimeout(settle, 0, resolve, reject)
  return { then } // oxlint-disable-line unicorn/no-thenable
}

/** The controllers of the suite, as the adapter under test takes them. */
export function createControllers(native: AdapterUnderTest['native']): object {
  /** As instances of classes are: the actions on the prototype, the state on the instance. */
  const controllerOf = (actions: Record<string, NeutralAction>, greeting: string) => {
    const prototype = Object.fromEntries(
      Object.entries(actions).map(([name, action]) => [name, native(action)]),
    )
    return Object.assign(Object.create(prototype) as object, { greeting })
  }
  const controllersOf = (
    greeting: string,
    controllers: Record<string, Record<string, NeutralAction>>,
  ) =>
    Object.fromEntries(
      Object.entries(controllers).map(([key, actions]) => [key, controllerOf(actions, greeting)]),
    )

  const posts = { index: serve('posts'), show: serve('post') }
  const teams = { index: serve('teams'), new: serve('new team'), show: serve('team') }
  const all = { users, posts, profiles: { show: serve('profile') }, failures, bodies, headers }
  return {
    1: controllersOf('one', all),
    2: controllersOf('two', { ...all, teams, users: { ...users, show: serve('overridden user') } }),
    4: controllersOf('four', { ...all, teams }),
  }
}
