// Runs programs on Bun, Deno and workerd.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

export interface Running {
  /** The next line that the program prints. */
  line(): Promise<string>
  stop(): Promise<void>
}

/** Starts a program. What it prints to stderr appears in the output of the tests. */
export function start(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Running {
  const child: ChildProcess = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  return {
    async line() {
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`${command} ${args.join(' ')} ended.`)
      return value
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** A worker, as workerd configures it. */
export interface Worker {
  readonly name: string
  /** The path of its bundle. */
  readonly file: string
  /** Text bindings. */
  readonly bindings?: Readonly<Record<string, string>>
  /** The address of a server that stores the responses of the Cache API. */
  readonly cache?: string
}

/** Starts workerd. Returns the port of each worker, by name. */
export async function startWorkers(
  workerd: string,
  folder: string,
  workers: readonly Worker[],
): Promise<{ ports: ReadonlyMap<string, number>; running: Running }> {
  const services = workers.map(({ name, file, bindings = {}, cache }) => {
    const texts = Object.entries(bindings).map(
      ([key, text]) => `(name = "${key}", text = ${JSON.stringify(text)})`,
    )
    const outbound = cache === undefined ? '' : `, cacheApiOutbound = "${name} cache"`
    const modules = `modules = [(name = "worker", esModule = embed "${file}")]`
    const worker = `(${modules}, compatibilityDate = "2026-01-01", bindings = [${texts.join(', ')}]${outbound})`
    const storage =
      cache === undefined
        ? ''
        : `, (name = "${name} cache", external = (address = "${cache}", http = ()))`
    return `(name = "${name}", worker = ${worker})${storage}`
  })
  const sockets = workers.map(
    ({ name }) => `(name = "${name}", address = "127.0.0.1:0", http = (), service = "${name}")`,
  )
  // Workers may send requests to the address of the tests.
  services.push('(name = "internet", network = (allow = ["private", "public"]))')
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [${services.join(',\n')}], sockets = [${sockets.join(',\n')}]);
`
  const file = join(folder, 'config.capnp')
  writeFileSync(file, config)
  const running = start(workerd, ['serve', '--control-fd=1', file])
  const ports = new Map<string, number>()
  while (ports.size < workers.length) {
    const { socket, port } = JSON.parse(await running.line()) as { socket: string; port: number }
    ports.set(socket, port)
  }
  return { ports, running }
}

/** A temporary folder, and the function that removes it. */
export function createFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'hv-fetch-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Writes the code blocks of a page that have a file name to a folder. */
export function writeBlocks(page: string, folder: string): void {
  const text = readFileSync(resolve(import.meta.dirname, '../../../..', page), 'utf8')
  for (const [, file, code] of text.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm))
    writeFileSync(join(folder, file!), code!)
}

/** A port that's free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
