// The apps of the suite, by name. They use no Node API: runtimes without one serve them, too.
import { createControllers, createOtherControllers, otherRoutes, routes, sharedRoutes } from './fixture.ts'
import { createOriginalControllers, originalCases } from './original-cases.ts'
import type { AdapterUnderTest, AppUnderTest } from './types.ts'

export type AppName = keyof typeof describeApps | `original: ${string}`

type Describe = (native: AdapterUnderTest['native']) => Omit<AppUnderTest, 'name'>

const apiAt =
  (prefix: string): Describe =>
  (native) => ({ mounts: [{ routes, controllers: createControllers(native), prefix }] })
const withOther =
  (other: typeof otherRoutes | typeof sharedRoutes): Describe =>
  (native) => ({
    mounts: [...apiAt('')(native).mounts, { routes: other, controllers: createOtherControllers(native), prefix: '' }],
  })
const withHook =
  (replaceProblem: NonNullable<AppUnderTest['replaceProblem']>): Describe =>
  (native) => ({ ...apiAt('')(native), replaceProblem })

const describeApps = {
  'without an API': () => ({ mounts: [] }),
  'an API': apiAt(''),
  'an API at a prefix': apiAt('/mounted'),
  'two APIs': withOther(otherRoutes),
  'two APIs at one path': withOther(sharedRoutes),
  'its own CORS handling': (native) => ({ ...apiAt('')(native), cors: true }),
  'a problem hook': withHook(({ type, status }) => ({ type, was: status })),
  'an async problem hook': withHook(({ type, status }) => Promise.resolve({ type, was: status })),
  'a problem hook that throws': withHook(() => {
    throw new Error('hook failed')
  }),
  'a problem hook that rejects': withHook(() => Promise.reject(new Error('hook failed'))),
} satisfies Record<string, Describe>

/** Creates the apps that the suite serves. */
export function createApps(native: AdapterUnderTest['native']): ReadonlyMap<AppName, AppUnderTest> {
  const apps = new Map<AppName, AppUnderTest>()
  for (const [name, describeApp] of Object.entries(describeApps))
    apps.set(name as AppName, { name, ...(describeApp as Describe)(native) })
  for (const [title, { routes: original }] of Object.entries(originalCases)) {
    const mount = { routes: original, controllers: createOriginalControllers(original, native), prefix: '' }
    apps.set(`original: ${title}`, { name: `original: ${title}`, mounts: [mount] })
  }
  return apps
}
