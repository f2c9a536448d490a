import type { BuildOptions } from 'esbuild'
import { defineConfig } from 'tsup'

const shared = {
  entry: ['src/index.ts', 'src/adapter.ts', 'src/controllers.ts', 'src/testing.ts'],
  dts: { compilerOptions: { ignoreDeprecations: '6.0', types: ['node'] } }, // tsup 8 sets baseUrl, which TypeScript 6 deprecates; testing.ts uses Request
  sourcemap: true,
  target: 'node20',
  treeshake: true,
  esbuildOptions(options: BuildOptions) {
    options.sourcesContent = false // the maps refer to `src`, which is in the package
  },
} as const

export default defineConfig([
  { ...shared, entry: [...shared.entry], format: 'esm' },
  // Jest cannot require an ES module, so the CommonJS build contains the dependency that is one.
  { ...shared, entry: [...shared.entry], format: 'cjs', noExternal: ['path-to-regexp'] },
])
