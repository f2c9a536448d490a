import { defineConfig } from 'tsup'
import { library } from '../../tools/library.ts'

export default defineConfig(() => [
  ...library(['src/index.ts']),
  {
    entry: { main: 'src/command/main.ts' },
    format: 'esm',
    target: 'node20',
  },
])
