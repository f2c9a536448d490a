// The commands in the README, pasted as they stand: three terminals.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, patternOf } from '../../../tools/pages.ts'

const root = resolve(import.meta.dirname, '../../..')
const hasCurl = spawnSync('curl', ['--version']).status === 0
const blocks = blocksOf('examples/webhooks/README.md')
const [start, receive, ...requests] = blocks.flatMap(({ language, text }) =>
  language === 'sh' ? [text] : [],
)
const [responses, deliveries, messages] = blocks.flatMap(({ language, text }) =>
  language === 'text' ? [text] : [],
)

async function freePort(): Promise<string> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return `${port}`
}

describe.skipIf(!hasCurl)('the README', () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhooks-readme-'))
  const terminals: ChildProcess[] = []
  let ports: string[]
  const adapt = (script: string) =>
    script.replaceAll('4000', ports[1]!).replaceAll('localhost:3000', `localhost:${ports[0]}`)

  /** Runs a command as a terminal does, so that all its processes get what Ctrl-C sends. */
  function openTerminal(script: string) {
    const child = spawn('sh', ['-c', adapt(script)], {
      cwd: root,
      detached: true,
      env: { ...process.env, PORT: ports[0], DATABASE_FILE: join(folder, 'webhooks.db') },
    })
    terminals.push(child)
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    return { child, output: () => output }
  }
  const pressCtrlC = (child: ChildProcess) => process.kill(-child.pid!, 'SIGINT')

  beforeAll(async () => {
    ports = [await freePort(), await freePort()]
  })
  afterAll(() => {
    for (const child of terminals)
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  it('shows what its commands print', async () => {
    expect([requests.length, messages]).toEqual([2, expect.any(String)])
    const app = openTerminal(start!)
    await expect.poll(app.output).toContain('Server listening')
    const receiver = openTerminal(receive!)
    await expect
      .poll(() => fetch(adapt('http://localhost:4000'), { method: 'POST' }).catch(() => null), {
        timeout: 300_000,
      })
      .not.toBe(null)

    const paste = (script: string) =>
      execFileSync('sh', ['-c', adapt(script)], { encoding: 'utf8' })
    expect(paste(requests[0]!)).toMatch(patternOf(adapt(responses!)))
    const sorted = (text: string) => text.trim().split('\n').toSorted()
    await expect.poll(() => sorted(receiver.output())).toEqual(sorted(deliveries!))
    const variables = requests[0]!.split('curl')[0]!
    expect(paste(variables + requests[1]!)).toBe(messages)

    // A subscriber doesn't keep the app from stopping.
    const subscriber = await fetch(adapt('http://localhost:3000/api/stream'))
    const ended = once(app.child, 'close')
    pressCtrlC(app.child)
    expect(await subscriber.text()).toContain('user.created')
    await ended
    expect(app.output()).not.toMatch(/error/i)
  })
})
