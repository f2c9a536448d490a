// MariaDB with Galera: three servers, each of which takes writes, and an instance of the service on each.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ServerProgram, freePort, mariadb } from '../test/database-server.ts'
import type { DatabaseCluster } from './database-cluster.ts'
import { type Node, accounts, createNode } from './node.ts'

const library = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'].find(
  (path) => existsSync(path),
)
/** The rsync daemon that receives a copy of the data is another user than root, so for root the servers run as `mysql`. */
const isRoot = userInfo().uid === 0
const asUser = isRoot ? ['--user=mysql'] : []

export async function startGalera(): Promise<DatabaseCluster> {
  if (mariadb === undefined || library === undefined)
    throw new Error(
      "There's no MariaDB with Galera here. On Debian: apt-get install mariadb-server galera-4 rsync",
    )
  const folder = mkdtempSync(join(tmpdir(), 'users-galera-'))
  writeFileSync(join(folder, 'init.sql'), accounts)
  const ports = await Promise.all([1, 2, 3].map(findPorts))
  const address = `--wsrep-cluster-address=gcomm://${ports.map(({ group }) => `127.0.0.1:${group}`).join(',')}`
  const nodes = ports.map((port, i) =>
    createNode(`n${i + 1}`, port.port, commandOf(mariadb!, folder, i + 1, port)),
  )
  // The first server creates the cluster and the accounts; the others take both from it.
  for (const node of nodes) mariadb.install(join(folder, node.name))
  if (isRoot) execFileSync('chown', ['-R', 'mysql', folder])
  await nodes[0]!.start([
    '--wsrep-new-cluster',
    '--wsrep-cluster-address=gcomm://',
    `--init-file=${folder}/init.sql`,
  ])
  await nodes[0]!.query('CREATE DATABASE users')
  for (const node of nodes.slice(1)) await node.start([address])

  const stateOf = async (node: Node): Promise<string> => {
    if (!node.isRunning()) return 'down'
    const sql =
      "SHOW STATUS WHERE Variable_name IN ('wsrep_cluster_size', 'wsrep_cluster_status', 'wsrep_local_state_comment')"
    const rows = await node.query(sql, 1500).catch(() => undefined)
    return rows === undefined ? 'no answer' : rows.map((row) => row['Value']).join(' ')
  }
  let turn = 0
  /** Never the first, on which the probe of the figures writes. */
  const choose = () => nodes[1 + (turn++ % 2)]!

  return {
    nodes,
    urls: nodes.map(({ url }) => url),
    actions: {
      async kill() {
        const node = choose()
        node.signal('SIGKILL')
        return `killed ${node.name}`
      },
      async freeze() {
        const node = choose()
        node.signal('SIGSTOP')
        return `froze ${node.name}`
      },
      /** A server that was killed gets a copy of the data from another one. */
      async heal() {
        for (const node of nodes) node.signal('SIGCONT')
        for (const node of nodes) if (!node.isRunning()) await node.start([address])
        for (let attempt = 0; attempt < 120; attempt++) {
          const states = await Promise.all(nodes.map(stateOf))
          if (states.every((state) => state === 'Synced 3 Primary')) return 'all nodes are synced'
          await wait(500)
        }
        throw new Error("a node doesn't rejoin")
      },
    },
    status: () =>
      Promise.all(nodes.map(async (node) => `${node.name} (${node.port}): ${await stateOf(node)}`)),
    async stop() {
      for (const node of nodes) await node.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const findPorts = async () => ({
  port: await freePort(),
  group: await freePort(),
  ist: await freePort(),
  sst: await freePort(),
})

function commandOf(
  { path, options }: ServerProgram,
  folder: string,
  number: number,
  { port, group, ist, sst }: Awaited<ReturnType<typeof findPorts>>,
): [string, ...string[]] {
  const file = (name: string) => join(folder, `n${number}${name}`)
  const provider = `base_port=${group};gmcast.listen_addr=tcp://127.0.0.1:${group};ist.recv_addr=127.0.0.1:${ist};gcache.size=64M`
  return [
    path,
    '--no-defaults',
    `--datadir=${file('')}`,
    `--tmpdir=${folder}`,
    `--socket=${file('.sock')}`,
    `--pid-file=${file('.pid')}`,
    `--log-error=${file('.log')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--max-connections=120',
    '--innodb-buffer-pool-size=64M',
    '--innodb-autoinc-lock-mode=2',
    '--innodb-flush-log-at-trx-commit=2',
    '--binlog-format=ROW',
    '--performance-schema=0',
    // A statement waits for what other servers have acknowledged: a user that one of them has added can log in on all.
    '--wsrep-sync-wait=7',
    '--wsrep-on=ON',
    `--wsrep-provider=${library}`,
    '--wsrep-cluster-name=users',
    `--wsrep-node-name=n${number}`,
    `--wsrep-node-address=127.0.0.1:${group}`,
    `--wsrep-provider-options=${provider}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${sst}`,
    ...options,
    ...asUser,
  ]
}
