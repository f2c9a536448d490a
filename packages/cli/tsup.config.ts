import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { 'hv-router': 'src/hv-router.ts', worker: 'src/route-file/worker.ts' },
  format: 'esm',
  clean: true,
  target: 'node20',
  noExternal: ['@hv/router-openapi'], // the comparison of documents is the only part that this command uses
})
