// Real tracing tools name a versioned request as they name the same request to a native route.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { build } from 'tsup'
import { beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../../../tools/packed.ts'
import { installOnce } from '../../../../tools/runtimes.ts'

const openTelemetry = [
  '@opentelemetry/api@1.9.1',
  '@opentelemetry/instrumentation@0.223.0',
  '@opentelemetry/instrumentation-express@0.71.1',
  '@opentelemetry/instrumentation-http@0.223.0',
  '@opentelemetry/sdk-trace-node@2.12.1',
]
const minutes = 60_000

/** How a setup's requests for a user, for all users, and for a version that doesn't exist are named. */
type Names = Readonly<Record<string, readonly [show: string, index: string, refused: string]>>

const routes = ['GET /api/users/:id', 'GET /api/users']
const native = [...routes, 'GET /api/users/:id']
const onExpress = {
  'Express, native': native,
  'Express, versioned': [...routes, 'GET'],
  'Express, versioned and mounted': [...routes, 'GET /api'],
  'Express, versioned in a router': [...routes, 'GET /api'],
  'Nest on Express, native': native,
  'Nest on Express, versioned': [...routes, 'GET'],
}
const onFastify = {
  'Fastify, native': native,
  'Fastify, versioned': [...routes, 'GET /api/*'],
  'Nest on Fastify, native': native,
  'Nest on Fastify, versioned': [...routes, 'GET /api/*'],
}
/** These instrumentations don't know Fastify. */
const unnamed = Object.fromEntries(
  Object.keys(onFastify).map((setup) => [setup, ['GET', 'GET', 'GET']]),
)

// Express 4 and Fastify 4 come with Nest 10, and Express 5 and Fastify 5 with Nest 11.
describe.each(['nest10', 'nest11'])('with the Express and Fastify of %s', (release) => {
  // The app's folder is in the release's, so that it finds the release's packages.
  const folder = join(root, 'packages/nest/releases', release, 'node_modules/.cache/tracers')

  // The tools hook into what's loaded with require().
  beforeAll(async () => {
    await build({
      entry: { app: join(import.meta.dirname, 'app.fixture.ts') },
      outDir: folder,
      format: 'cjs',
      outExtension: () => ({ js: '.cjs' }),
      external: [/^(@nestjs|express|fastify|reflect-metadata|rxjs)(\/|$)/],
      noExternal: [/^@hv\//, 'on-headers', 'fastify-plugin'],
      esbuildOptions: (options) => void (options.conditions = ['@hv/source']),
      tsconfig: join(root, 'packages/nest/tsconfig.json'),
      config: false,
      dts: false,
      silent: true,
    })
  }, 2 * minutes)

  async function trace(tool: string, packages: readonly string[]): Promise<Names> {
    const args = [tool, await installOnce(packages)]
    const child: ChildProcess = fork(join(folder, 'app.cjs'), args, { execArgv: [] })
    try {
      const exited = once(child, 'exit').then(([code]) => [`It exited with ${code}.`])
      const [names] = await Promise.race([once(child, 'message'), exited])
      return names as Names
    } finally {
      child.kill()
    }
  }

  it.each([
    { tool: 'datadog', packages: ['dd-trace@5.132.0'], unrouted: 'GET' },
    { tool: 'sentry', packages: ['@sentry/node@10.78.0'], unrouted: 'GET /api/users/7' },
    { tool: 'sentry', packages: ['@sentry/node@11.12.0'], unrouted: 'GET' },
  ])('$packages', async ({ tool, packages, unrouted }) => {
    expect(await trace(tool, packages)).toEqual({
      ...onExpress,
      ...onFastify,
      'Express, versioned': [...routes, unrouted],
      'Nest on Express, versioned': [...routes, unrouted],
    })
  })

  it('OpenTelemetry', async () => {
    const names = await trace('opentelemetry', openTelemetry)
    expect(names).toEqual({ ...onExpress, ...unnamed })
  })

  it(
    'OpenTelemetry without middleware: only an express.Router() keeps the mount path',
    async () => {
      const names = await trace('opentelemetry without middleware', openTelemetry)
      expect(names).toEqual({
        ...onExpress,
        ...unnamed,
        'Express, versioned and mounted': ['GET /users/:id', 'GET', 'GET /api'],
      })
    },
    5 * minutes,
  )
})
