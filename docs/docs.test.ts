// Every code block of the documentation is compiled and run; curl lines are sent and their answers compared.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const snippets = join(root, 'docs/.snippets')
const pages = [
  'README.md',
  'packages/router/README.md',
  'packages/express/README.md',
  'packages/fastify/README.md',
  'packages/cli/README.md',
  'examples/users/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !/(?:^|\/)(?:node_modules|\.snippets)\//.test(file))
    .map((file) => join('docs', file)),
]

interface Block {
  readonly language: string
  readonly file: string | undefined
  readonly text: string
}
const blocksOf = (page: string): Block[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```(\w+)(?: +file=(\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language, file, text]) => ({ language: language!, file, text: text! }),
  )
const folderOf = (page: string): string => join(snippets, page.replace(/\.md$/, ''))

rmSync(snippets, { recursive: true, force: true })
const runnable: string[] = []
for (const page of pages)
  for (const [index, { language, file = `block${index}.ts`, text }] of blocksOf(page).entries()) {
    if (language !== 'ts') continue
    const path = join(folderOf(page), file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${text}\nexport {}\n`)
    if (!text.includes('.listen(')) runnable.push(path)
  }

describe('the code blocks', () => {
  it('compile', () => {
    const compilerOptions = { types: ['node'] }
    const config = { extends: '../../tsconfig.base.json', compilerOptions, include: ['**/*.ts'] }
    writeFileSync(join(snippets, 'tsconfig.json'), JSON.stringify(config))
    const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', snippets])
    expect(stdout.toString()).toBe('')
    expect(runnable.length).toBeGreaterThan(3)
  }, 60_000)

  it.each(runnable.map((path) => [path.slice(snippets.length + 1), path]))('%s runs', async (_name, path) => {
    await import(path)
  })
})

const hasCurl = spawnSync('curl', ['--version']).status === 0

describe.skipIf(!hasCurl).each([
  ['README.md', join(root, 'examples/users'), 'src/main.ts'],
  ['examples/users/README.md', join(root, 'examples/users'), 'src/main.ts'],
  ['docs/guide/getting-started.md', folderOf('docs/guide/getting-started.md'), 'app.ts'],
])('the curl lines of %s', (page, folder, script) => {
  let child: ChildProcess
  let port: number
  const data = mkdtempSync(join(tmpdir(), 'docs-data-'))

  beforeAll(async () => {
    port = await new Promise((resolve) => {
      const probe = createServer().listen(0, '127.0.0.1', () => {
        const { port } = probe.address() as { port: number }
        probe.close(() => resolve(port))
      })
    })
    child = spawn(process.execPath, ['--conditions=@hv/source', '--import', 'tsx', script], {
      cwd: folder,
      env: { ...process.env, PORT: String(port), DATABASE_FILE: join(data, 'users.db'), LOG_LEVEL: 'silent' },
      stdio: 'inherit',
    })
    for (let i = 0; i < 200; i++) {
      if (await fetch(`http://localhost:${port}/`).catch(() => null)) return
      await wait(50)
    }
    throw new Error(`${script} does not serve`)
  })
  afterAll(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
    rmSync(data, { recursive: true, force: true })
  })

  it('give what the page says, pasted as they stand', () => {
    const blocks = blocksOf(page)
    const sessions = blocks.flatMap(({ language, text }, index) =>
      language === 'sh' && text.includes('curl') ? [{ script: text, expected: blocks[index + 1]! }] : [],
    )
    expect(sessions.length).toBeGreaterThan(0)
    const script = sessions
      .map(({ script }) => script)
      .join('\n')
      .replaceAll('localhost:3000', `localhost:${port}`)
    const output = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
    const expected = sessions.map(({ expected }) => (expected.language === 'text' ? expected.text : '')).join('')
    // The ellipsis stands for whatever a run gives of its own.
    const pattern = expected.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '[^\\n]*')
    expect(output).toMatch(new RegExp(`^${pattern}$`))
  })
})

describe('the sessions of the command line', () => {
  const blocks = blocksOf('docs/reference/cli.md')
  const sessions = blocks.flatMap(({ language, text }, index) =>
    language === 'sh' && text.startsWith('npx hv-router') ? [[text.trim(), blocks[index + 1]!.text] as const] : [],
  )
  it.each(sessions)('%s', (command, expected) => {
    const program = `node --conditions=@hv/source --import tsx ${join(root, 'packages/cli/src/hv-router.ts')}`
    const script = command.replace('npx hv-router', program)
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8', cwd: join(root, 'examples/users') })).toBe(expected)
  })
  it('are some', () => expect(sessions.length).toBeGreaterThan(4))
})

describe('the reference of errors', () => {
  it('has a heading for every code', () => {
    const source = readFileSync(join(root, 'packages/router/src/errors.ts'), 'utf8')
    const codes = [...source.matchAll(/^ {2}\| '(HV_\w+)'/gm)].map(([, code]) => code)
    const headings = [...readFileSync(join(root, 'docs/reference/errors.md'), 'utf8').matchAll(/^## (HV_\w+)$/gm)]
    expect(headings.map(([, code]) => code).toSorted()).toEqual(codes.toSorted())
    expect(codes.length).toBeGreaterThan(10)
  })
})

describe('the reference of problems', () => {
  it('has a heading for every type', () => {
    const source = readFileSync(join(root, 'packages/router/src/problem.ts'), 'utf8')
    const titles = source.slice(source.indexOf('const titles'), source.indexOf('\n}\n', source.indexOf('const titles')))
    const codes = [...titles.matchAll(/^ {2}'?([a-z-]+)'?: /gm)].map(([, code]) => code)
    const headings = [
      ...readFileSync(join(root, 'docs/reference/problems.md'), 'utf8').matchAll(/^## urn:hv-router:(\S+)$/gm),
    ]
    expect(headings.map(([, code]) => code).toSorted()).toEqual(codes.toSorted())
    expect(codes).toHaveLength(7)
  })
})
