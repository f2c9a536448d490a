// Follows a page of the documentation word for word in an empty folder. Packages of the repository come from tarballs.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { run } from './packed.ts'
import { blocksForAdapter, patternOf, writeBlock } from './pages.ts'

/**
 * Writes the files of the page, runs its commands, starts its programs and compares what the requests of the page print.
 * Throws at the first difference.
 *
 * @param adapter - the tab that the reader picks: Fastify, Express or fetch
 * @param tarballOf - the path of a package's tarball, or undefined for a package of the registry
 * @returns how many requests the program has answered
 */
export async function followTutorial(
  page: string,
  adapter: string,
  folder: string,
  tarballOf: (name: string) => string | undefined,
): Promise<number> {
  mkdirSync(folder, { recursive: true })
  let answered = 0
  let started: Awaited<ReturnType<typeof startProgram>> | undefined
  const blocks = blocksForAdapter(page, adapter)
  try {
    for (const [index, block] of blocks.entries()) {
      const { language, file, text, fails } = block
      if (file !== undefined || (language === 'ts' && !fails)) writeBlock(block, index, folder)
      else if (language !== 'sh') continue
      else if (/^npx tsx \S+$/m.test(text)) {
        await started?.stop()
        started = await startProgram(folder, text.trim())
      } else if (text.includes('localhost:3000')) {
        if (started === undefined)
          throw new Error(`${page} sends a request before it starts a program:\n${text}`)
        const output = await run(
          folder,
          'sh',
          '-c',
          text.replaceAll('localhost:3000', `localhost:${started.port}`),
        )
        const expected = blocks[index + 1]!.text
        if (!patternOf(expected).test(output))
          throw new Error(`${text}prints\n${output}not\n${expected}`)
        answered += output.trimEnd().split('\n').length
      } else {
        const packages = (line: string) =>
          line.replaceAll(/(?<= )@hv\/\S+/g, (name) => tarballOf(name) ?? name)
        const output = await run(
          folder,
          'sh',
          '-ec',
          text.replaceAll(/^npm install .*$/gm, packages),
        )
        const next = blocks[index + 1]
        if (next?.language === 'text' && !patternOf(next.text).test(output))
          throw new Error(`${text}prints\n${output}not\n${next.text}`)
      }
    }
  } finally {
    await started?.stop()
  }
  return answered
}

/** Starts a command at a free port, and waits until it serves. */
export async function startProgram(folder: string, command: string) {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  const child = spawn('sh', ['-c', command], {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true, // npx starts further processes: a group of its own can be ended as a whole
  })
  const stop = () => stopGroup(child)
  for (let i = 0; i < 300 && child.exitCode === null; i++) {
    if (await fetch(`http://localhost:${port}/`).catch(() => null)) return { port, stop }
    await wait(100)
  }
  await stop()
  throw new Error(`"${command}" does not serve.`)
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  process.kill(-child.pid!, 'SIGTERM')
  await ended
}
