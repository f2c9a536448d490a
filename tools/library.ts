// How tsup builds a published library: ES modules, CommonJS, and the declarations of both.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Options } from 'tsup'

const compiler = '../../tools/typescript7/tsc.js'
const folder = '.types'

/**
 * TypeScript 7 writes the declarations, tsup bundles them. tsup alone would compile them with TypeScript 6, ten times
 * slower.
 */
export function library(entry: string[], shared: Options = {}, commonJs: Options = {}): Options[] {
  for (const old of ['dist', folder]) rmSync(old, { recursive: true, force: true })
  writeDeclarations(entry)
  const declarations = entry.map((file) => {
    const name = basename(file, '.ts')
    return [name, join(folder, basename(process.cwd()), 'src', `${name}.d.ts`)]
  })
  const options = {
    entry,
    sourcemap: true,
    target: 'node20',
    treeshake: true,
    ...shared,
  } satisfies Options
  return [
    { ...options, format: 'esm' },
    { ...options, format: 'cjs', ...commonJs },
    {
      entry,
      format: ['esm', 'cjs'],
      dts: {
        only: true,
        entry: Object.fromEntries(declarations),
        compilerOptions: { ignoreDeprecations: '6.0', types: ['node'] }, // tsup 8 sets baseUrl, which TypeScript 6 deprecates
      },
    },
  ]
}

function writeDeclarations(entry: readonly string[]): void {
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    declarationMap: false,
    rootDir: '../..',
    outDir: '.',
    types: ['node'],
  }
  const files = entry.map((file) => join('..', file))
  const config = join(folder, 'tsconfig.json')
  mkdirSync(folder)
  writeFileSync(
    config,
    JSON.stringify({ extends: '../tsconfig.json', compilerOptions, files, include: [] }),
  )
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', config], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stdout)
}
