// Programs of the service as one JavaScript file each, which start four times as fast as from their sources.
import { randomUUID } from 'node:crypto'
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'

const files: string[] = []
process.once('exit', () => {
  for (const file of files) rmSync(file, { force: true })
})
if (process.env['VITEST'] !== undefined) process.once('SIGTERM', () => process.exit()) // that's how vitest ends a worker

/** The JavaScript of each program, with a name in place of the folder that it runs in. */
const programs = new Map<string, string>()
const here = '"<the folder of the service>"'
/** Packages that find their own files beside them. The last one is an earlier release's, which the figures compare with. */
const external = [
  '@fastify/swagger-ui',
  '@node-rs/argon2',
  '@photostructure/sqlite',
  'pino-pretty',
  'libsql',
]

/**
 * Bundles a program of the service to run in a folder, and returns the path of the file.
 *
 * @param sources the folder of the sources. Each program in it is only bundled once, so they may not change any more.
 */
export function bundle(folder: string, program: string, sources: string = folder): string {
  const entry = join(sources, program)
  const text = programs.get(entry) ?? build(entry)
  programs.set(entry, text)
  const cache = join(folder, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const outfile = join(realpathSync(cache), `${randomUUID()}.mjs`) // a copy of the service only links to this folder
  files.push(outfile)
  writeFileSync(outfile, text.replaceAll(here, JSON.stringify(join(folder, 'src'))))
  return outfile
}

function build(entry: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    conditions: ['@hv/source'],
    external,
    define: { 'import.meta.dirname': here }, // where the service finds its own folder
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`,
    },
    logLevel: 'error',
  })
  return outputFiles[0]!.text
}
