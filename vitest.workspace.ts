import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { isAll, some } from './tools/test-all.ts'

const minutes = 10
const common = {
  // They end what hangs. How busy the machine is doesn't decide.
  testTimeout: minutes * 60_000,
  hookTimeout: minutes * 60_000,
  expect: { poll: { timeout: (minutes / 2) * 60_000 } },
  execArgv: ['--conditions=@hv/source'], // for what Node itself resolves
}

/** They pack, compile and start the most, and rarely fail, so they only run with `TEST_ALL=1`. */
const slow = [
  'packages/contract/test/install.test.ts',
  'packages/cli/test/corpus.test.ts',
  'packages/fetch/test/runtimes.test.ts',
  'packages/nest/test/tracers/*.test.ts',
  'packages/openapi/test/consumers/*.test.ts',
  'packages/**/type-cost.test.ts',
]

/** A package's test files for another release of its framework. Without `TEST_ALL=1`, only those that differ most between releases. */
const filesOf = (name: string, files: readonly string[]): string[] =>
  (isAll ? ['*'] : files).map((file) => `packages/${name}/test/${file}.test.ts`)

export default defineConfig({
  // The packages are tested from their sources: no build is needed.
  ssr: { resolve: { conditions: ['@hv/source', 'module', 'node', 'development|production'] } },
  test: {
    maxWorkers: Math.min(availableParallelism(), 8), // vitest leaves one core unused
    projects: [
      {
        extends: true,
        test: {
          ...common,
          name: 'unit',
          include: [
            'packages/*/test/**/*.test.ts',
            'docs/*.test.ts',
            'tools/*.test.ts',
            'tools/*/test/*.test.ts',
          ],
          exclude: ['**/node_modules/**', ...(isAll ? [] : slow)],
          isolate: false, // files share what they import: a quarter less CPU time
        },
      },
      {
        extends: true,
        test: {
          ...common,
          name: 'users',
          include: ['examples/users/test/**/*.test.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { ...common, name: 'nest-example', include: ['examples/nest/test/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          ...common,
          name: 'webhooks-example',
          include: ['examples/webhooks/test/*.test.ts'],
        },
      },
      // The Express adapter with the other releases in its peer range.
      ...some(['express4-lowest', 'express4', 'express5-lowest'], 1).map((release) => ({
        extends: true as const,
        resolve: { alias: { express: release } },
        test: {
          ...common,
          name: release,
          include: filesOf('express', [
            'before',
            'contract',
            'derived',
            'mounts',
            'parity',
            'router',
            'tracing',
          ]),
          isolate: false,
          env: { EXPRESS_RELEASE: release },
        },
      })),
      // The Nest package with older releases of Nest, each with the Express or Fastify that it brings.
      ...some(['nest10-lowest', 'nest10', 'nest11'], 1).map((release) => ({
        extends: true as const,
        resolve: {
          alias: [
            {
              find: /^(@nestjs\/[\w-]+|express|fastify)(?=\/|$)/,
              replacement: `${import.meta.dirname}/packages/nest/releases/${release}/node_modules/$1`,
            },
          ],
        },
        test: {
          ...common,
          name: release,
          include: filesOf('nest', ['app', 'before', 'contract', 'derived', 'versioning']),
          isolate: false,
          env: { NEST_RELEASE: release },
        },
      })),
      {
        extends: true,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ['packages/*/test/**/*.test-d.ts'],
            tsconfig: './tsconfig.test-d.json',
            checker: './tools/typescript7/tsc.js', // npm run typecheck has TypeScript 6
          },
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts', 'examples/*/src/**/*.ts'],
      reporter: ['text'],
    },
  },
})
