import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // The packages are tested from their sources: no build is needed.
  ssr: { resolve: { conditions: ['@hv/source', 'module', 'node', 'development|production'] } },
  test: {
    maxWorkers: Math.min(availableParallelism(), 8), // vitest leaves one core unused
    isolate: false, // files share what they import: a quarter less CPU time
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/*/test/**/*.test.ts',
            'examples/*/test/**/*.test.ts',
            'docs/*.test.ts',
            'tools/*.test.ts',
          ],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          execArgv: ['--conditions=@hv/source'], // for what Node itself resolves
        },
      },
      // The Express adapter with the other releases in its peer range.
      ...['express4-lowest', 'express4', 'express5-lowest'].map((release) => ({
        extends: true as const,
        resolve: { alias: { express: release } },
        test: { name: release, include: ['packages/express/test/*.test.ts'], testTimeout: 20_000 },
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
            checker: './tools/typescript7/node_modules/typescript/bin/tsc', // npm run typecheck has TypeScript 6
          },
        },
      },
    ],
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts', 'examples/*/src/**/*.ts'], reporter: ['text'] },
  },
})
