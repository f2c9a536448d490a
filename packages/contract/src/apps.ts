// The suite's apps, by name. They use no Node API, so that runtimes without one can serve them.
import type { Api } from '@hv/router'
import { eventApps } from './event-apps.ts'
import {
  createControllers,
  createOtherControllers,
  neighborRoutes,
  otherRoutes,
  plainRoutes,
  rootRoutes,
  routes,
} from './fixture.ts'
import { type LifeAppName, lifeApps } from './life-apps.ts'
import { createOriginalControllers, originalCases } from './original-cases.ts'
import type { AdapterUnderTest, AppUnderTest } from './types.ts'

export type AppName = keyof typeof describeApps | LifeAppName | `original: ${string}`

type Describe = (native: AdapterUnderTest['native']) => Omit<AppUnderTest, 'name'>

const apiAt =
  (prefix: string, table: Api = routes): Describe =>
  (native) => ({ mounts: [{ routes: table, controllers: createControllers(native), prefix }] })
const withOther =
  (other: typeof otherRoutes | typeof neighborRoutes): Describe =>
  (native) => ({
    mounts: [
      ...apiAt('')(native).mounts,
      { routes: other, controllers: createOtherControllers(native), prefix: '' },
    ],
  })
const withHook =
  (replaceProblem: NonNullable<AppUnderTest['replaceProblem']>): Describe =>
  (native) => ({ ...apiAt('')(native), replaceProblem })

const describeApps = {
  'without an API': () => ({ mounts: [] }),
  'an API': apiAt(''),
  'an API at a prefix': apiAt('/mounted'),
  'an API without formats': apiAt('', plainRoutes),
  'an API without formats at a prefix': apiAt('/mounted', plainRoutes),
  'an API at the root without formats': apiAt('', rootRoutes),
  'two APIs': withOther(otherRoutes),
  'two APIs at one prefix': withOther(neighborRoutes),
  'its own CORS handling': (native) => ({ ...apiAt('')(native), cors: true }),
  'a problem hook': withHook(({ type, status }) => ({ type, was: status })),
  'an async problem hook': withHook(({ type, status }) => Promise.resolve({ type, was: status })),
  'a problem hook that throws': withHook(() => {
    throw new Error('hook failed')
  }),
  'a problem hook that rejects': withHook(() => Promise.reject(new Error('hook failed'))),
  ...eventApps,
} satisfies Record<string, Describe>

/** Returns the functions that create the suite's apps, by name. */
export function createApps(
  native: AdapterUnderTest['native'],
): ReadonlyMap<AppName, () => AppUnderTest> {
  const apps: [AppName, () => Omit<AppUnderTest, 'name'>][] = [
    ...Object.entries(describeApps).map(
      ([name, describeApp]): [AppName, () => Omit<AppUnderTest, 'name'>] => [
        name as AppName,
        () => (describeApp as Describe)(native),
      ],
    ),
    ...Object.entries(originalCases).map(
      ([title, { routes: original }]): [AppName, () => Omit<AppUnderTest, 'name'>] => [
        `original: ${title}`,
        () => ({
          mounts: [
            {
              routes: original,
              controllers: createOriginalControllers(original, native),
              prefix: '',
            },
          ],
        }),
      ],
    ),
    ...lifeApps(native),
  ]
  return new Map(apps.map(([name, create]) => [name, () => ({ name, ...create() })]))
}
