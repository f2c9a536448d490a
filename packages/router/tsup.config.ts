import type { BuildOptions } from 'esbuild'
import { defineConfig } from 'tsup'
import { library } from '../../tools/library.ts'

const entry = [
  'src/index.ts',
  'src/adapter.ts',
  'src/controllers.ts',
  'src/internal.ts',
  'src/testing.ts',
]
const shared = {
  esbuildOptions(options: BuildOptions) {
    options.sourcesContent = false // the maps refer to `src`, which is in the package
  },
}

// Jest cannot require an ES module, so the CommonJS build contains the dependency that is one.
export default defineConfig(() => library(entry, shared, { noExternal: ['path-to-regexp'] }))
