// The apps for an API's lifecycle: the worked cases, a whole lifecycle, and who chooses the
// version. They use no Node API.
import {
  type Api,
  type Match,
  type Miss,
  type VersionOptions,
  api,
  cache,
  get,
  inherit,
  post,
  put,
  resources,
  version,
} from '@hv/router'
import worked from './lifecycle.json' with { type: 'json' }
import type { AdapterUnderTest, AppUnderTest, Mount, NeutralAction } from './types.ts'

export interface Expectation {
  readonly status: number
  readonly version?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly absent?: readonly string[]
  readonly links?: readonly object[]
  readonly problem?: Readonly<Record<string, unknown>>
  readonly problemAbsent?: readonly string[]
  readonly allow?: readonly string[]
  readonly bodyBytes?: number
  /** False if the app handles the request, rather than the API. */
  readonly ours?: boolean
  readonly definitionError?: string
}

type Policy = VersionOptions & { readonly routes?: readonly string[] }

export interface LifecycleCase {
  readonly id: string
  readonly why: string
  readonly policy: {
    readonly versions?: Readonly<Record<number, Policy>>
    readonly routes?: Readonly<Record<string, Policy>>
    readonly default?: number
  }
  /** One time, or the times of several requests. */
  readonly now?: string | readonly string[]
  readonly request?: {
    readonly method: string
    readonly path: string
    readonly accept: string
    readonly handler?: 'throws' | { readonly sets: Readonly<Record<string, string>> }
  }
  readonly expect: Expectation | readonly Expectation[]
}

const { about, rows } = worked as unknown as {
  readonly about: {
    readonly base: { readonly default: number; readonly routes: Record<number, readonly string[]> }
  }
  readonly rows: readonly LifecycleCase[]
}
/**
 * The worked cases. Each has a route file's policy, the time, a request, and the expected response.
 * Dates and headers follow the RFCs.
 */
export const lifecycleCases: readonly LifecycleCase[] = rows

/** Version 2 inherits what it shares with version 1. */
export function lifecycleRoutes({
  versions = {},
  routes = {},
  default: defaultVersion,
}: LifecycleCase['policy']) {
  const verbOf = (number: number, route: string) => {
    const [method, path] = route.split(' /api/') as [string, string]
    const action = method === 'POST' ? 'create' : path.includes(':') ? 'show' : 'index'
    const to = `${path.split('/')[0]}#${action}`
    return (method === 'POST' ? post : get)(path, { to, ...routes[`${number} ${route}`] })
  }
  const inherits = versions[1]?.routes === undefined
  const nodes = [1, 2, 3].map((number) => {
    const { routes: declared = about.base.routes[number]!, ...policy } = versions[number] ?? {}
    const verbs = declared.map((route) => verbOf(number, route))
    if (!inherits || number === 3) return version(number, policy, ...verbs)
    if (number === 1) return version(1, policy, cache({ as: 'v1' }, ...verbs))
    const teams = verbs.filter(({ name }) => name === 'teams')
    return version(2, policy, inherit({ from: 'v1', except: 'sessions' } as never), ...teams)
  })
  return (api as (...args: unknown[]) => Api)(
    {
      vendorString: 'acme',
      defaultVersion: defaultVersion ?? about.base.default,
    },
    ...nodes,
  )
}

/** A worked case's API. */
export function lifecycleApi(
  { policy: ends, request }: LifecycleCase,
  native: AdapterUnderTest['native'],
) {
  const action: NeutralAction = ({ setHeader }) => {
    if (request?.handler === 'throws') throw new Error('thrown error')
    for (const [name, value] of Object.entries(request?.handler?.sets ?? {})) setHeader(name, value)
    return {}
  }
  const controller = { index: native(action), show: native(action), create: native(action) }
  const controllers = { users: controller, sessions: controller, teams: controller }
  return {
    routes: lifecycleRoutes(ends),
    controllers: { 1: controllers, 2: controllers, 3: controllers },
  }
}

// A version, from its release to the deletion of its code.
const policy = {
  deprecated: '2027-01-01',
  sunset: '2027-07-01',
  docs: 'https://docs.example/v1',
  successor: 2,
  brownouts: [['2027-05-04T14:00Z', '2027-05-04T15:00Z']],
} as const
const users = resources('users', { only: 'index' })
const second = version(2, inherit({ from: 'v1' }))
const vendor = { vendorString: 'acme' }

const choices = (settings: object): Api =>
  api(
    { ...vendor, ...settings },
    version(1, cache({ as: 'v1' }, users, get('thrown', { to: 'users#thrown' }))),
    version(2, inherit({ from: 'v1' })),
    version(3, { sunset: '2020-01-01' }, inherit({ from: 'v1' })),
    version(4, { preview: true }, inherit({ from: 'v1' })),
  )

/** The version of an account, which the request names in a header. */
function versionOfAccount({ headers }: NativeRequest): number | undefined {
  const account = headers instanceof Headers ? headers.get('x-account') : headers['x-account']
  if (account === 'unknown') throw new Error('unknown account')
  return typeof account === 'string' ? Number(account) : undefined
}

/** What all frameworks' requests have. */
interface NativeRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers | Readonly<Record<string, string | undefined>>
}

/** What a test sets and reads through an app's second API. */
interface Controls {
  /** The time, in milliseconds since 1970. */
  time: number
  /** How `onRouted` fails. */
  failure: 'throws' | 'rejects' | null
  /** What `onRouted` received. */
  readonly events: string[]
}

const recordRouted =
  (controls: Controls) =>
  (result: Match | Miss, { method, url }: NativeRequest): unknown => {
    if (url.includes(controlPath)) return undefined
    const what =
      result.kind === 'match'
        ? `v${result.version} ${result.source}`
        : `${result.status} ${result.code}`
    controls.events.push(`${method} ${what}`)
    if (controls.failure === 'throws') throw new Error('subscriber failed')
    return controls.failure === 'rejects'
      ? Promise.reject(new Error('subscriber failed'))
      : undefined
  }

type DescribeLifeApp = (controls: Controls) => { readonly routes: Api; readonly options: object }
const livesAs =
  (routes: Api): DescribeLifeApp =>
  (controls) => ({ routes, options: { now: () => controls.time } })

const describeLifeApps = {
  'a released version': livesAs(api(vendor, version(1, cache({ as: 'v1' }, users)), second)),
  'an announced version': livesAs(
    api(vendor, version(1, policy, cache({ as: 'v1' }, users)), second),
  ),
  'a deleted version': livesAs(
    api(vendor, version(1, { sunset: '2027-07-01', successor: 2 }), version(2, users)),
  ),
  'an API that requires a version': () => ({
    routes: choices({ requireVersion: true }),
    options: {},
  }),
  'a version chosen by the app': () => ({
    routes: choices({}),
    options: { pinVersion: versionOfAccount },
  }),
  'a subscriber': (controls) => ({
    routes: choices({}),
    options: { onRouted: recordRouted(controls), pinVersion: () => 2 },
  }),
} satisfies Record<string, DescribeLifeApp>

export type LifeAppName = keyof typeof describeLifeApps | `life: ${string}`

/** The functions that describe the apps, by name. */
export function lifeApps(
  native: AdapterUnderTest['native'],
): [LifeAppName, () => Omit<AppUnderTest, 'name'>][] {
  const index: NeutralAction = ({ version: served }) => ({ served })
  const controller = {
    index: native(index),
    thrown: native(() => Promise.reject(new Error('thrown error'))),
  }
  const named = Object.entries(describeLifeApps).map(
    ([name, describeApp]): [LifeAppName, () => Omit<AppUnderTest, 'name'>] => [
      name as LifeAppName,
      () => {
        const controls = createControls()
        const { routes, options } = (describeApp as DescribeLifeApp)(controls)
        const controllers = Object.fromEntries(
          routes.settings.versions.map((number) => [number, { users: controller }]),
        )
        return {
          mounts: [{ routes, controllers, prefix: '' }, controlMount(controls, native)],
          options,
        }
      },
    ],
  )
  const cases = lifecycleCases
    .filter(({ request }) => request !== undefined)
    .map((row): [LifeAppName, () => Omit<AppUnderTest, 'name'>] => [
      `life: ${row.id}`,
      () => {
        const controls = createControls()
        const mounts = [
          { ...lifecycleApi(row, native), prefix: '' },
          controlMount(controls, native),
        ]
        return { mounts, options: { now: () => controls.time } }
      },
    ])
  return [...named, ...cases]
}

const createControls = (): Controls => ({ time: 0, failure: null, events: [] })

const controlPath = '/control'
/** The Accept header for requests to an app's controls. */
export const controlType = 'application/vnd.control+json;version=1'
const controlRoutes = api(
  { vendorString: 'control', path: controlPath },
  version(1, put('settings', { to: 'controls#update' }), get('events', { to: 'controls#events' })),
)

/** A second API in an app, which lets a test set the first one's clock and read its events. */
function controlMount(controls: Controls, native: AdapterUnderTest['native']): Mount {
  const update: NeutralAction = ({ body }) => Object.assign(controls, body)
  const events: NeutralAction = () => ({ events: controls.events.splice(0) })
  return {
    routes: controlRoutes,
    controllers: { 1: { controls: { update: native(update), events: native(events) } } },
    prefix: '',
  }
}
