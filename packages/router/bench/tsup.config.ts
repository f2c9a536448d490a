import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['bench/run.ts', 'bench/worker.ts'],
  format: 'esm',
  outDir: 'bench/dist',
  skipNodeModulesBundle: true,
  silent: true,
})
