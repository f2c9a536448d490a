import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    'hv-router': 'src/hv-router.ts',
    worker: 'src/route-file/worker.ts',
    'parse-process': 'src/syntax/parse-process.js',
  },
  format: 'esm',
  clean: true,
  target: 'node20',
  noExternal: ['@hv/openapi-diff'], // its comparison has no dependencies, but its own command does
})
