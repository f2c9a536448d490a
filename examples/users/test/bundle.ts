// Programs of the service as one JavaScript file each. On Node 20 they start three times as fast as from their sources.
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { afterAll } from 'vitest'

const files: string[] = []
const removeFiles = () => {
  for (const file of files) rmSync(file, { force: true })
}
if (process.env['VITEST'] === undefined) process.once('exit', removeFiles) // the figures
else afterAll(removeFiles)

/** Bundles a program of the service, or of a copy of it, and returns the path of the file. */
export function bundle(folder: string, program: string): string {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies: object }
  const outfile = join(folder, 'node_modules/.cache', `${randomUUID()}.mjs`)
  files.push(outfile)
  buildSync({
    entryPoints: [join(folder, program)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@hv/source'],
    external: Object.keys(dependencies).filter((name) => !name.startsWith('@hv/')),
    define: { 'import.meta.dirname': JSON.stringify(join(folder, 'src')) }, // where the service finds its own folder
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)` },
    logLevel: 'error',
  })
  return outfile
}
