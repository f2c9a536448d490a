import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/hv-router.ts'],
  format: 'esm',
  clean: true,
  target: 'node20',
  treeshake: true,
})
