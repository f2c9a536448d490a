import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['bench/run.ts', 'bench/worker.ts', 'bench/http.ts', 'bench/http-server.ts'],
  format: 'esm',
  outDir: 'bench/dist',
  skipNodeModulesBundle: true,
  noExternal: [/^@hv\//],
  silent: true,
  esbuildOptions(options) {
    options.conditions = ['@hv/source']
  },
})
