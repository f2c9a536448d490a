// Projects in folders of their own, and the command run in them.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { endIdleWorker } from '../src/route-file/load.ts'
import { run } from '../src/run.ts'

// In CI, `check --update-lock` writes nothing.
delete process.env['CI']

const packages = resolve(import.meta.dirname, '../..')

export interface TestProject {
  readonly folder: string
  /** Exit code, then what stood on either output. */
  hv(...args: string[]): Promise<{ code: number; out: string; err: string }>
  read(path: string): string
  write(files: Readonly<Record<string, string>>): void
  /** Installs one of its folders as a package. */
  link(name: string, folder: string): void
  /** All files, sorted. */
  list(folder?: string): readonly string[]
}

export function createProject(files: Readonly<Record<string, string>>): TestProject {
  const folder = mkdtempSync(join(tmpdir(), 'hv-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'node_modules/@hv'), { recursive: true })
  for (const [name, place] of [
    ['router', 'router'],
    ['router-express', 'express'],
    ['router-fastify', 'fastify'],
    ['router-fetch', 'fetch'],
  ] as const)
    symlinkSync(join(packages, place), join(folder, 'node_modules/@hv', name))
  const project: TestProject = {
    folder,
    async hv(...args) {
      const [out, err] = [[] as string[], [] as string[]]
      // Outside of tests, each command is a process of its own. Node keeps the JavaScript that a thread has imported.
      if (project.list().some((path) => /\.[mc]?js$/.test(path))) await endIdleWorker()
      const code = await run(args, {
        cwd: folder,
        out: { write: (text) => out.push(text) },
        err: { write: (text) => err.push(text) },
      })
      return { code, out: out.join(''), err: err.join('') }
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    write(more) {
      for (const [path, text] of Object.entries(more)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
    },
    link(name, target) {
      const link = join(folder, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(folder, target), link)
    },
    list: (inside = '.') => filesIn(join(folder, inside)).toSorted(),
  }
  project.write(files)
  return project
}

/** Paths in a folder, without those of packages. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => {
      if (!entry.isDirectory()) return [entry.name]
      return filesIn(join(folder, entry.name)).map((path) => join(entry.name, path))
    })

/** A route file with users in version 1, which version 2 inherits. */
export const routesFile = `import { api, cache, inherit, resources, version } from '@hv/router'

export const routes = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show'] }))),
  version(2, inherit({ from: 'v1' })), // the same
)
`
