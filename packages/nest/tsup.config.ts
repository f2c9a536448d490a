import { defineConfig } from 'tsup'
import { library } from '../../tools/library.ts'

// Jest, with which Nest tests CommonJS apps, has no import(): there it becomes require().
const commonJs = {
  esbuildOptions: (options: { supported?: object }) =>
    void (options.supported = { 'dynamic-import': false }),
}

export default defineConfig(() =>
  library(['src/index.ts', 'src/swagger.ts'], { shims: true }, commonJs),
)
