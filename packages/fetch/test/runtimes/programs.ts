// Installs Bun, Deno and workerd, and builds the programs that they run.
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { type Runtimes, installRuntimes } from '../../../../tools/runtimes.ts'
import { createFolder } from './run.ts'

export interface Programs {
  readonly runtimes: Runtimes
  /** The folder of `server.js`, for Bun and Deno, and of `worker.js`, for workerd. */
  readonly folder: string
  readonly remove: () => void
}

/** Builds the programs from the sources. `npm run matrix` replaces this function with one for the packed packages. */
export async function buildPrograms(): Promise<Programs> {
  const runtimes = await installRuntimes()
  const { folder, remove } = createFolder()
  for (const name of ['server', 'worker'])
    await bundle(join(import.meta.dirname, `${name}.ts`), join(folder, `${name}.js`))
  return { runtimes, folder, remove }
}

/** Bundles a program. For every runtime, an import from Node is an error. */
export async function bundle(
  entry: string,
  file: string,
  platform: 'neutral' | 'node' = 'neutral',
): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform,
    mainFields: ['module', 'main'],
    conditions: ['@hv/source'],
    alias: { '@hv/router-fetch': resolve(import.meta.dirname, '../../src/index.ts') },
    nodePaths: [resolve(import.meta.dirname, '../../node_modules')],
    logLevel: 'error',
  })
}
