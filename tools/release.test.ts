// The release workflow's permissions, and its publish script against a real registry.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { findProgram } from './find-program.ts'
import { root } from './packed.ts'
import { installOnce } from './runtimes.ts'
import { isAll } from './test-all.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
}
interface Job {
  readonly needs?: string | readonly string[]
  readonly environment?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions: unknown
  readonly jobs: Readonly<Record<string, Job>>
}
const workflowOf = (name: string): Workflow =>
  parse(readFileSync(join(root, '.github/workflows', name), 'utf8')) as Workflow

describe('the release workflow', () => {
  const { jobs, permissions } = workflowOf('release.yml')
  const commands = (job: string) => jobs[job]!.steps.map(({ run }) => run ?? '').join('\n')

  it('gives a permission only to the job that needs it', () => {
    expect(permissions).toEqual({})
    const granted = Object.entries(jobs).map(([name, job]) => [name, job.permissions])
    expect(Object.fromEntries(granted)).toEqual({
      versions: { actions: 'write', contents: 'write', 'pull-requests': 'write' },
      build: { contents: 'read' },
      publish: { contents: 'read', 'id-token': 'write' },
      tag: { contents: 'write' },
    })
  })

  it('has no secret but the token of the run, and builds without any', () => {
    expect(JSON.stringify(jobs)).not.toContain('secrets.')
    expect(JSON.stringify(jobs['build'])).not.toContain('github.token')
    expect(JSON.stringify(jobs['publish'])).not.toContain('github.token')
  })

  it("publishes the build's files after the owner's approval, and installs and builds nothing", () => {
    const { needs, environment, steps } = jobs['publish']!
    expect({ needs, environment }).toEqual({ needs: 'build', environment: 'npm' })
    expect(commands('publish').trim()).toBe('node tools/publish.js tarballs')
    const download = steps.find(({ uses }) => uses?.startsWith('actions/download-artifact@'))
    const upload = jobs['build']!.steps.find(({ uses }) =>
      uses?.startsWith('actions/upload-artifact@'),
    )
    expect(download!.with!['name']).toBe(upload!.with!['name'])
    const imports = readFileSync(join(root, 'tools/publish.js'), 'utf8').match(/from '[^']+'/g)!
    expect(imports.every((name) => name.startsWith("from 'node:"))).toBe(true)
  })

  it('publishes with an npm that knows trusted publishing, which Node 24 has', () => {
    const setup = jobs['publish']!.steps.find(({ uses }) => uses?.startsWith('actions/setup-node@'))
    expect(Number(setup!.with!['node-version'])).toBeGreaterThanOrEqual(24)
    expect(setup!.with!['registry-url']).toBe('https://registry.npmjs.org')
  })

  it("starts the version pull request's CI run", () => {
    expect(commands('versions')).toContain('gh workflow run ci.yml')
    expect(workflowOf('ci.yml').on).toHaveProperty('workflow_dispatch')
  })

  it.each(['ci.yml', 'docs.yml', 'release.yml'])('pins every action of %s to a commit', (name) => {
    const actions = Object.values(workflowOf(name).jobs).flatMap((job) =>
      job.steps.flatMap(({ uses }) => uses ?? []),
    )
    expect(actions.filter((action) => !/@[\da-f]{40}$/.test(action))).toEqual([])
  })
})

describe.skipIf(!isAll || findProgram('tar') === undefined)(
  'tools/publish.js with a registry (TEST_ALL=1, and it needs tar)',
  () => {
    it("publishes what's missing, dependencies first, and can be run again", async () => {
      const folder = mkdtempSync(join(tmpdir(), 'publish-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const registry = await startRegistry(folder)
      const packed = join(folder, 'tarballs')
      mkdirSync(packed)
      pack('a-needs-b', '1.0.0', { '@sample/b': '1.0.0' })
      pack('b', '1.0.0', {})

      expect(publish('--dry-run')).toEqual({ status: 0, names: ['b@1.0.0', 'a-needs-b@1.0.0'] })
      expect(publish()).toEqual({ status: 0, names: ['b@1.0.0', 'a-needs-b@1.0.0'] })
      expect(publish()).toEqual({ status: 0, names: [] })
      pack('b', '1.1.0', {})
      expect(publish()).toEqual({ status: 0, names: ['b@1.1.0'] })

      const silent = spawnScript('http://127.0.0.1:1/')
      expect(silent.status).toBe(1)
      expect(silent.stderr).toContain('ECONNREFUSED')

      function pack(name: string, version: string, dependencies: object): void {
        const source = join(folder, `${name}-${version}`)
        mkdirSync(source)
        const manifest = { name: `@sample/${name}`, version, dependencies }
        writeFileSync(join(source, 'package.json'), JSON.stringify(manifest))
        const { status, stderr } = npm(source, 'pack', '--pack-destination', packed)
        expect(status, stderr).toBe(0)
      }
      function npm(cwd: string, ...args: string[]) {
        return spawnSync('npm', args, { cwd, encoding: 'utf8' })
      }
      function publish(...options: string[]) {
        const { status, stdout } = spawnScript(registry, ...options)
        const names = stdout.match(/(?<=^@sample\/).+/gm) ?? []
        return { status, names }
      }
      function spawnScript(url: string, ...options: string[]) {
        const settings = {
          npm_config_registry: url,
          [`npm_config_//127.0.0.1:${new URL(url).port}/:_authToken`]: 'sample',
          npm_config_fetch_retries: '0',
          npm_config_cache: join(folder, 'cache'),
        }
        const script = join(root, 'tools/publish.js')
        return spawnSync(process.execPath, [script, packed, ...options], {
          encoding: 'utf8',
          env: { ...process.env, ...settings },
        })
      }
    })
  },
)

it('says where the tarballs come from if there are none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'publish-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const script = join(root, 'tools/publish.js')
  const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stderr).toBe(
    `There are no tarballs in ${folder}. Write them with npm run release -- pack.\n`,
  )
})

/** Verdaccio, for as long as the test runs. Everybody may publish to it. */
async function startRegistry(folder: string): Promise<string> {
  // Verdaccio's audit plugin asks for a tag of node-fetch, which mirrors of npm's registry may not have.
  const modules = await installOnce(['verdaccio@6.1.2'], { 'node-fetch': '2' })
  const port = await freePort()
  const config = join(folder, 'verdaccio.yaml')
  writeFileSync(
    config,
    `storage: ${join(folder, 'storage')}
packages:
  '**': { access: $all, publish: $all }
log: { type: stdout, level: fatal }
`,
  )
  const program = join(modules, 'verdaccio/bin/verdaccio')
  const server = spawn(process.execPath, [program, '-c', config, '-l', `127.0.0.1:${port}`])
  onTestFinished(() => void server.kill())
  const url = `http://127.0.0.1:${port}/`
  await vi.waitFor(async () => expect((await fetch(url + '-/ping')).ok).toBe(true), 600_000)
  return url
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
