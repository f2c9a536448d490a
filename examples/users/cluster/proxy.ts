// HAProxy in front of the databases: a TCP port that leads to the primary.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findProgram } from '../../../tools/find-program.ts'
import { freePort } from '../test/database-server.ts'
import type { Node } from './node.ts'

/**
 * Starts the proxy, and the program that it asks for roles.
 *
 * @param keepSessions whether a node's sessions stay open when it isn't the primary any more
 */
export async function startProxy(nodes: readonly Node[], keepSessions: boolean) {
  const program = findProgram('haproxy')
  if (program === undefined)
    throw new Error("There's no HAProxy here. On Debian: apt-get install haproxy")
  const port = await freePort()
  const checks = await Promise.all(
    nodes.map(async (node) => ({ node, checkPort: await freePort() })),
  )
  const folder = mkdtempSync(join(tmpdir(), 'users-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    `global
  maxconn 2000
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen database
  bind 127.0.0.1:${port}
  option httpchk GET /
  default-server inter 500 fastinter 200 downinter 300 fall 1 rise 1${keepSessions ? '' : ' on-marked-down shutdown-sessions'}
${checks.map(({ node, checkPort }) => `  server ${node.name} 127.0.0.1:${node.port} check port ${checkPort}`).join('\n')}
`,
  )
  const roles = checks.map(({ node, checkPort }) => `${node.port}:${checkPort}`)
  const roleCheck = ['--import', 'tsx', resolve(import.meta.dirname, 'role-check.ts'), ...roles]
  const children = [
    spawn(process.execPath, roleCheck, { stdio: ['ignore', 'ignore', 'inherit'] }),
    spawn(program, ['-db', '-f', file], { stdio: 'ignore' }),
  ]
  return {
    port,
    async stop() {
      await Promise.all(children.map(end))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  await ended
}
