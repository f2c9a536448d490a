import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/adapter.ts', 'src/controllers.ts'],
  format: ['esm', 'cjs'],
  dts: { compilerOptions: { ignoreDeprecations: '6.0' } }, // tsup 8 sets baseUrl, which TypeScript 6 deprecates
  sourcemap: true,
  clean: true,
  target: 'node20',
  treeshake: true,
})
