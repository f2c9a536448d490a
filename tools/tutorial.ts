// Follows a page of the documentation word for word, in an empty folder with the packages from tarballs, or in the checkout.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root, run } from './packed.ts'
import { blocksForAdapter, patternOf, writeBlock } from './pages.ts'

/** A program of a page that serves requests. */
export interface Started {
  readonly port: number
  /** What it has printed so far. */
  readonly printed: () => string
  readonly stop: () => Promise<void>
}

export interface TutorialOptions {
  /**
   * The path of a package's tarball, or undefined for a package of the registry. Without this function, nothing is
   * installed, and the folder has to be inside `docs`, whose packages are those of the checkout.
   */
  readonly tarballOf?: (name: string) => string | undefined
  /** Runs each time a program has started. `startAgain` starts it at the same port, and returns what it prints. */
  readonly onStart?: (started: Started, startAgain: () => Promise<string>) => Promise<void>
}

/**
 * Writes the files of the page, runs its commands, starts its programs and compares what the requests of the page print.
 * Throws at the first difference.
 *
 * @param adapter - the tab that the reader picks: Fastify, Express or fetch
 * @returns how many requests the program has answered
 */
export async function followTutorial(
  page: string,
  adapter: string,
  folder: string,
  { tarballOf, onStart }: TutorialOptions,
): Promise<number> {
  mkdirSync(folder, { recursive: true })
  let answered = 0
  let started: Started | undefined
  const blocks = blocksForAdapter(page, adapter)

  /** Runs a line of a shell block and returns what it prints. */
  async function runLine(line: string, expected: string | undefined): Promise<string> {
    const command = tarballOf === undefined ? inCheckout(line) : fromTarballs(line, tarballOf)
    if (command === null) return ''
    if (/^npx tsx \S+$/.test(line)) {
      await started?.stop()
      const { port } = (started = await startProgram(folder, command))
      await onStart?.(started, () => outputOfFailure(folder, command, { PORT: String(port) }))
      return ''
    }
    if (line.includes('localhost:3000')) {
      if (started === undefined)
        throw new Error(`${page} sends a request before it starts a program:\n${line}`)
      answered += 1
      const request = command.replace(/^curl /, 'curl -sS --max-time 1 ')
      return run(
        folder,
        'sh',
        '-c',
        request.replaceAll('localhost:3000', `localhost:${started.port}`),
      )
    }
    return line === 'npm run typecheck' && expected !== undefined
      ? outputOfFailure(folder, command)
      : run(folder, 'sh', '-ec', command)
  }

  try {
    for (const [index, block] of blocks.entries()) {
      const { language, file, text, fails } = block
      if (file === 'tsconfig.json' && tarballOf === undefined) writeTypeSettings(folder, text)
      else if (file !== undefined || (language === 'ts' && !fails)) writeBlock(block, index, folder)
      if (language !== 'sh') continue
      const next = blocks[index + 1]
      const expected = next?.language === 'text' ? next.text : undefined
      let output = ''
      for (const line of text
        .replaceAll(/ \\\n */g, ' ')
        .trim()
        .split('\n'))
        output += await runLine(line, expected)
      if (expected !== undefined && !isShown(expected, output))
        throw new Error(`${text}prints\n${output}not\n${expected}`)
    }
  } finally {
    await started?.stop()
  }
  return answered
}

/** Whether a page shows the output. The last line may not end, and a line of ellipses stands for one among others. */
const isShown = (expected: string, output: string): boolean =>
  /^….*…$/.test(expected.trim())
    ? output.split('\n').some((line) => patternOf(expected.trim()).test(line))
    : patternOf(expected.trimEnd()).test(output.trimEnd())

const fromTarballs = (line: string, tarballOf: NonNullable<TutorialOptions['tarballOf']>): string =>
  line.startsWith('npm install ')
    ? line.replaceAll(/(?<= )@hv\/\S+/g, (name) => tarballOf(name) ?? name)
    : line

/** The line with the sources of the checkout; null for one that sets up a project. */
function inCheckout(line: string): string | null {
  const node = `"${process.execPath}" --conditions=@hv/source --import tsx`
  if (/^npm (?:init|install|pkg) /.test(line)) return null
  if (line === 'npm run typecheck')
    return `"${process.execPath}" "${join(root, 'tools/typescript7/tsc.js')}" --customConditions @hv/source`
  return line
    .replace(/^npx tsx /, `${node} `)
    .replace(
      /^npx @hv\/router-cli@\S+ /,
      `${node} "${join(root, 'packages/cli/src/hv-router.ts')}" `,
    )
}

/** In the checkout, the compiler reads the sources of the packages, which need their own options. */
function writeTypeSettings(folder: string, text: string): void {
  const { compilerOptions } = JSON.parse(text) as { compilerOptions: object }
  const base = join(root, 'tsconfig.base.json')
  const needed = { allowImportingTsExtensions: true, declaration: false, declarationMap: false }
  const settings = { extends: base, compilerOptions: { ...compilerOptions, ...needed } }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  if (!existsSync(join(folder, 'package.json')))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
}

/** Runs a command that has to fail, and returns what it prints. */
async function outputOfFailure(folder: string, command: string, variables = {}): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...variables } }
  return new Promise((done, fail) => {
    execFile('sh', ['-ec', command], options, (error, stdout, stderr) =>
      error === null ? fail(new Error(`${command} succeeds.`)) : done(stdout + stderr),
    )
  })
}

/** Starts a command at a free port, and waits until it serves. */
export async function startProgram(folder: string, command: string): Promise<Started> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  const child = spawn('sh', ['-c', command], {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // npx starts further processes: a group of its own can be ended as a whole
  })
  let output = ''
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const stop = () => stopGroup(child)
  for (let i = 0; i < 3000 && child.exitCode === null; i++) {
    if (await fetch(`http://localhost:${port}/`).catch(() => null))
      return { port, printed: () => output, stop }
    await wait(100)
  }
  await stop()
  throw new Error(`"${command}" doesn't serve.`)
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  process.kill(-child.pid!, 'SIGTERM')
  await ended
}

/** The pages of the tutorial. The second continues in the folder of the first. */
export const tutorialPages = [
  'docs/guide/getting-started.md',
  'docs/guide/change-a-payload.md',
] as const

/**
 * Checks what a newcomer tries beside the tutorial's own requests: an unknown id, `/`, a slash at the end, POST to a
 * list, a version that doesn't exist, and, if it's passed, a second start while the first one runs.
 */
export async function checkStarted(
  { port, printed }: Started,
  startAgain?: () => Promise<string>,
): Promise<void> {
  const origin = `http://localhost:${port}`
  // The program can serve before its output has arrived.
  for (let i = 0; i < 3000 && printed() === ''; i++) await wait(100)
  if (!printed().includes(`curl ${origin}/api/users`))
    throw new Error(`It prints no curl line when it starts:\n${printed()}`)
  const unversioned = { accept: '*/*' }
  const unknown = { accept: 'application/vnd.acme+json;version=9' }
  for (const [method, path, statuses, headers] of [
    ['GET', '/api/users/99', [404], unversioned],
    ['GET', '/', [404], unversioned],
    ['GET', '/api/users/', [200, 308, 404], unversioned],
    ['POST', '/api/users', [405], unversioned],
    ['GET', '/api/users', [406], unknown],
  ] as const) {
    const signal = AbortSignal.timeout(300_000)
    const response = await fetch(origin + path, { method, headers, signal, redirect: 'manual' })
    const body = await response.text()
    const isRight =
      (statuses as readonly number[]).includes(response.status) &&
      (body !== '' || response.status >= 300)
    if (!isRight) throw new Error(`${method} ${path} gets ${response.status}: ${body}`)
    if (path.endsWith('/99') && body !== '{"message":"Not found"}')
      throw new Error(`An unknown user gets: ${body}`)
  }
  const again = await startAgain?.()
  if (again?.includes(`Port ${port} is taken.`) === false)
    throw new Error(`A second start prints:\n${again}`)
}
