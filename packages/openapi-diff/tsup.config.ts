import { defineConfig } from 'tsup'
import { library } from '../../tools/library.ts'

export default defineConfig(() => library(['src/index.ts']))
