import { defineConfig } from 'tsup'

export default defineConfig({
  entry: [
    'src/run.ts',
    'src/start.ts',
    'src/worker.ts',
    'src/http.ts',
    'src/http-server.ts',
    'src/adapter-cost.ts',
    'src/changes.ts',
    'src/compare.ts',
    'src/life.ts',
    'src/nest.ts',
    'src/calls.ts',
  ],
  format: 'esm',
  skipNodeModulesBundle: true,
  noExternal: [/^@hv\//],
  silent: true,
  esbuildOptions(options) {
    options.conditions = ['@hv/source']
  },
})
