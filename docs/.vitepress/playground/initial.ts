/** What the reader edits. It is kept in the hash of the URL. */
export interface State {
  readonly routes: string
  readonly bodies: string
  readonly method: string
  readonly path: string
  readonly accept: string
}

export const initial: State = {
  routes: `import { api, inherit, resources, version } from '@hv/router'

export const routes = api(
  { vendorString: 'acme' },
  version(1, { deprecated: '2026-06-01' },
    resources('users', { only: ['index', 'show'] }),
    resources('sessions', { only: 'create' })),
  version(2,
    inherit({ from: 1 }),
    resources('teams', { only: 'index' })),
  version(3, inherit({ from: 2, except: 'sessions' })),
)
`,
  bodies: `// What the handler of each version returns. A version that isn't
// listed returns what the version before it does.
export const bodies = {
  'users#show': {
    1: { id: 7, name: 'Ann Lee' },
    2: { id: 7, first: 'Ann', last: 'Lee' },
    3: { id: 7, first: 'Ann', last: 'Lee', teams: ['red'] },
  },
  'users#index': {
    1: [{ id: 7, name: 'Ann Lee' }],
    2: { items: [{ id: 7, first: 'Ann', last: 'Lee' }], next: null },
  },
  'teams#index': {
    2: ['red', 'blue'],
  },
}
`,
  method: 'GET',
  path: '/api/users/7',
  accept: 'application/vnd.acme+json;version=2',
}

/** The hash of a state: what differs from the initial one. */
export function hashOf(state: State): string {
  const entries = Object.entries(state).filter(
    ([key, value]) => value !== initial[key as keyof State],
  )
  return new URLSearchParams(entries).toString()
}

/** The files that a link can name. */
export type Files = Readonly<Record<string, Pick<State, 'routes' | 'bodies'>>>

/** The state in a hash. `file` names files instead of containing them. */
export function stateOf(hash: string, files: Files = {}): State {
  const params = new URLSearchParams(hash.replace(/^#/, ''))
  const file = params.get('file') ?? ''
  const sources = Object.hasOwn(files, file) ? files[file] : undefined
  return {
    ...initial,
    ...sources,
    ...Object.fromEntries([...params].filter(([key]) => Object.hasOwn(initial, key))),
  }
}
