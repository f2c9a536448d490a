// What a declaration file of controllers contains: a package of a monorepo passes its types on in one.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { compilers } from '../../../tools/compilers.ts'

const root = resolve(import.meta.dirname, '../../..')
const folder = mkdtempSync(resolve(import.meta.dirname, '../node_modules/.types-')) // where fastify is installed
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = `import { action } from '../../src/index.ts'
export const show = action({
  schema: { params: { type: 'object' } },
  config: { key: 1 },
  preHandler: async (request) => void request.apiMatch.version,
  handler: (request, reply) => reply.send(request.apiMatch.version),
})
`

it('names the type of an action', () => {
  const file = join(folder, 'controllers.mts')
  writeFileSync(file, text)
  const outDir = join(folder, 'out')
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir,
    rootDir: '/',
  }
  const config = join(folder, 'tsconfig.json')
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files: [file] }),
  )
  expect(compilers['TypeScript 7']!(config).errors).toBe('')
  const declaration = readFileSync(join(outDir, file.replace(/\.mts$/, '.d.mts')), 'utf8')
  expect(declaration).toContain('.Action<Record<string, string>> & {')
  expect(declaration.length).toBeLessThan(300)
})
