import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { 'hv-router': 'src/hv-router.ts', worker: 'src/route-file/worker.ts' },
  format: 'esm',
  clean: true,
  target: 'node20',
  // The comparison of documents is the only part of @hv/router-openapi that this command uses.
  noExternal: ['recheck', '@hv/router-openapi'], // recheck: its dependencies are 50 MB of native programs that this command does not run
  esbuildOptions(options) {
    options.minifyWhitespace = true // recheck alone is 3 MB
    options.legalComments = 'linked'
  },
})
