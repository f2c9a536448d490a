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
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { run } from '../src/run.ts'

// In CI, `check --update-lock` writes nothing.
delete process.env['CI']

const packages = resolve(import.meta.dirname, '../..')
const program = join(packages, 'cli/src/hv-router.ts')

interface Result {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface TestProject {
  readonly folder: string
  /** Exit code, then what stood on either output. */
  hv(...args: string[]): Promise<Result>
  /** The same in a process of its own, for route files that nothing stops in this one. */
  hvProcess(...args: string[]): Result
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
      const code = await run(args, {
        cwd: folder,
        out: { write: (text) => out.push(text) },
        err: { write: (text) => err.push(text) },
      })
      return { code, out: out.join(''), err: err.join('') }
    },
    hvProcess(...args) {
      const node = ['--conditions=@hv/source', '--import', import.meta.resolve('tsx'), program]
      const result = spawnSync(process.execPath, [...node, ...args], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 300_000,
      })
      return { code: result.status!, out: result.stdout, err: result.stderr }
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
