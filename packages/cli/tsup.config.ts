import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { 'hv-router': 'src/hv-router.ts' },
  format: 'esm',
  clean: true,
  target: 'node20',
  noExternal: ['@hv/openapi-diff'], // its comparison has no dependencies, but its own command does
})
