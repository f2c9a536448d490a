// MySQL with Group Replication: one primary, two secondaries, and HAProxy, which leads to the primary.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ServerProgram, freePort, mysql } from '../test/database-server.ts'
import type { DatabaseCluster } from './database-cluster.ts'
import { type Node, accounts, createNode, urlOf } from './node.ts'
import { startProxy } from './proxy.ts'

export interface GroupOptions {
  /**
   * The proxy keeps a server's sessions when it isn't the primary any more, as a DNS change does.
   *
   * @default false
   */
  readonly keepSessions?: boolean
  /**
   * Each server has a small disk of its own, which can be filled. That takes root.
   *
   * @default false
   */
  readonly smallDisks?: boolean
}

const group = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'
/** Without binary log: a node that has transactions of its own can't join. */
const init = `SET SQL_LOG_BIN = 0;
${accounts}CREATE USER IF NOT EXISTS 'replica'@'%' IDENTIFIED BY 'replica-pw';
GRANT REPLICATION SLAVE, CONNECTION_ADMIN, BACKUP_ADMIN, GROUP_REPLICATION_STREAM ON *.* TO 'replica'@'%';
`
const setSource = `CHANGE REPLICATION SOURCE TO SOURCE_USER = 'replica', SOURCE_PASSWORD = 'replica-pw'
  FOR CHANNEL 'group_replication_recovery'`
/** The state and role of the node that is asked. */
const membership = `SELECT MEMBER_STATE AS state, MEMBER_ROLE AS role, @@super_read_only AS readOnly
  FROM performance_schema.replication_group_members WHERE MEMBER_ID = @@server_uuid`

export async function startGroup({
  keepSessions = false,
  smallDisks = false,
}: GroupOptions = {}): Promise<DatabaseCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'users-group-'))
  const disks = [1, 2, 3].map((number) => join(folder, `n${number}`))
  if (smallDisks) for (const disk of disks) mountSmallDisk(disk)
  const nodes = await startNodes(folder)
  const proxy = await startProxy(nodes, keepSessions)
  let isMulti = false
  return {
    nodes,
    get urls() {
      return isMulti ? nodes.map(({ url }) => url) : nodes.map(() => urlOf(proxy.port))
    },
    actions: {
      ...primaryActions(nodes),
      async 'multi-primary'() {
        await (
          await findPrimary(nodes)
        ).query('SELECT group_replication_switch_to_multi_primary_mode()', 30_000)
        isMulti = true
        return 'every node takes writes'
      },
      ...(smallDisks && diskActions(nodes, disks)),
      heal() {
        for (const disk of disks) rmSync(fillerOf(disk), { force: true })
        return heal(nodes, isMulti ? nodes.length : 1)
      },
    },
    status: () => describe(nodes),
    async stop() {
      await proxy.stop()
      await Promise.all(nodes.map((node) => node.stop()))
      if (smallDisks) for (const disk of disks) execFileSync('umount', [disk])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function mountSmallDisk(disk: string): void {
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=600m', 'tmpfs', disk])
}

const fillerOf = (disk: string): string => join(disk, '#filler')

/** Writes until no byte fits. */
function fillDisk(disk: string): void {
  const piece = Buffer.alloc(2 ** 20)
  try {
    for (;;) writeFileSync(fillerOf(disk), piece, { flag: 'a' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

async function startNodes(folder: string): Promise<readonly Node[]> {
  if (mysql === undefined) throw new Error('MySQL is missing. Run: PATH="$(../../.ci/mysql):$PATH"')
  const program = mysql
  writeFileSync(join(folder, 'init.sql'), init)
  const ports = await Promise.all(
    [1, 2, 3].map(async () => ({ port: await freePort(), groupPort: await freePort() })),
  )
  const seeds = ports.map(({ groupPort }) => `127.0.0.1:${groupPort}`).join(',')
  const nodes = ports.map((port, i) => createGroupNode(program, folder, i + 1, port, seeds))
  for (const node of nodes) {
    await node.start()
    await node.query(setSource)
  }
  await bootstrap(nodes[0]!)
  await nodes[0]!.query('CREATE DATABASE users')
  for (const node of nodes.slice(1)) await joinGroup(node)
  return nodes
}

/** What can happen to a primary, or to the others. */
const primaryActions = (nodes: readonly Node[]) => ({
  async 'kill-primary'() {
    const primary = await findPrimary(nodes)
    primary.signal('SIGKILL')
    return `killed ${primary.name}`
  },
  async 'switch-over'() {
    const primary = await findPrimary(nodes)
    const next = nodes[(nodes.indexOf(primary) + 1) % nodes.length]!
    const [row] = await next.query('SELECT @@server_uuid AS id')
    await primary.query(`SELECT group_replication_set_as_primary('${String(row!['id'])}')`, 30_000)
    return `${next.name} is the primary after ${primary.name}`
  },
  async freeze() {
    const primary = await findPrimary(nodes)
    primary.signal('SIGSTOP')
    return `froze ${primary.name}, the primary`
  },
  async 'lose-majority'() {
    const primary = await findPrimary(nodes)
    for (const node of nodes) if (node !== primary) node.signal('SIGSTOP')
    return `froze all nodes but ${primary.name}, the primary`
  },
})

const diskActions = (nodes: readonly Node[], disks: readonly string[]) => ({
  async 'fill-disk'() {
    const primary = await findPrimary(nodes)
    fillDisk(disks[nodes.indexOf(primary)]!)
    return `filled the disk of ${primary.name}, the primary`
  },
})

/** What a node says of itself: `ONLINE PRIMARY`, for instance. */
async function roleOf(node: Node): Promise<string> {
  if (!node.isRunning()) return 'down'
  const rows = await node.query(membership, 1500).catch(() => undefined)
  const { state = 'OFFLINE', role = '', readOnly } = rows?.[0] ?? {}
  const mode = Number(readOnly) === 1 ? ', read-only' : ''
  return rows === undefined ? 'no answer' : `${String(state)} ${String(role)}${mode}`.trim()
}

const describe = (nodes: readonly Node[]) =>
  Promise.all(nodes.map(async (node) => `${node.name} (${node.port}): ${await roleOf(node)}`))

async function findPrimary(nodes: readonly Node[]): Promise<Node> {
  for (;;) {
    for (const node of nodes) if ((await roleOf(node)) === 'ONLINE PRIMARY') return node
    await wait(200)
  }
}

/** Brings every node back: wakes it, starts it, and lets it join. */
async function heal(nodes: readonly Node[], primaries: number): Promise<string> {
  for (const node of nodes) node.signal('SIGCONT')
  for (const node of nodes) if (!node.isRunning()) await node.start()
  let complete = 0
  for (let attempt = 0; attempt < 180; attempt++) {
    await wait(1000) // a node that was frozen doesn't yet know what it missed
    const roles = await Promise.all(nodes.map(roleOf))
    const online = roles.filter((role) => role.startsWith('ONLINE')).length
    const isComplete =
      online === nodes.length &&
      roles.filter((role) => role === 'ONLINE PRIMARY').length === primaries
    complete = isComplete ? complete + 1 : 0
    if (complete === 3) return 'all nodes are online'
    if (online === 0 && attempt > 20) await bootstrap(await findMostAdvanced(nodes))
    for (const [i, node] of nodes.entries())
      if (online > 0 && /^(?:OFFLINE|ERROR)/.test(roles[i]!)) await rejoin(node)
  }
  throw new Error(`a node doesn't join: ${(await describe(nodes)).join('; ')}`)
}

function createGroupNode(
  { path, install }: ServerProgram,
  folder: string,
  number: number,
  { port, groupPort }: { readonly port: number; readonly groupPort: number },
  seeds: string,
): Node {
  const data = join(folder, `n${number}`)
  install(data)
  const file = (name: string) => join(folder, `n${number}${name}`)
  return createNode(`n${number}`, port, [
    path,
    '--no-defaults',
    `--datadir=${data}`,
    `--tmpdir=${folder}`,
    `--socket=${file('.sock')}`,
    `--pid-file=${file('.pid')}`,
    `--log-error=${file('.log')}`,
    `--init-file=${join(folder, 'init.sql')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--report-host=127.0.0.1`,
    `--report-port=${port}`,
    `--server-id=${number}`,
    '--skip-name-resolve',
    '--mysqlx=OFF',
    '--secure-file-priv=',
    '--max-connections=120',
    '--innodb-buffer-pool-size=64M',
    '--innodb-redo-log-capacity=64M',
    '--gtid-mode=ON',
    '--enforce-gtid-consistency=ON',
    '--plugin-load-add=group_replication.so',
    `--loose-group-replication-group-name=${group}`,
    '--loose-group-replication-start-on-boot=OFF',
    `--loose-group-replication-local-address=127.0.0.1:${groupPort}`,
    `--loose-group-replication-group-seeds=${seeds}`,
    '--loose-group-replication-ip-allowlist=127.0.0.0/8',
    '--loose-group-replication-recovery-get-public-key=ON',
    '--loose-group-replication-recovery-reconnect-interval=2', // by default a minute, if the first server to ask is busy
    // A primary that loses its majority gives up after five seconds; by default it would wait for ever.
    '--loose-group-replication-unreachable-majority-timeout=5',
    '--loose-group-replication-member-expel-timeout=0',
    ...(userInfo().uid === 0 ? ['--user=root'] : []),
  ])
}

const bootstrap = (node: Node) =>
  node.query(
    `SET GLOBAL group_replication_bootstrap_group = ON;
     START GROUP_REPLICATION;
     SET GLOBAL group_replication_bootstrap_group = OFF`,
    60_000,
  )
const joinGroup = (node: Node) => node.query('START GROUP_REPLICATION', 60_000)

/** It may be busy with its own attempt to rejoin: then the next call succeeds. */
async function rejoin(node: Node): Promise<void> {
  await node.query('STOP GROUP_REPLICATION', 30_000).catch(() => {})
  await joinGroup(node).catch(() => {})
}

/** The node that has every transaction that the others have. */
async function findMostAdvanced(nodes: readonly Node[]): Promise<Node> {
  const sets = await Promise.all(
    nodes.map(async (node) =>
      String((await node.query('SELECT @@gtid_executed AS gtids'))[0]!['gtids']),
    ),
  )
  for (const [i, node] of nodes.entries()) {
    const others = sets
      .filter((_, j) => j !== i)
      .map((set) => `GTID_SUBSET('${set}', '${sets[i]}')`)
    const [row] = await node.query(`SELECT ${others.join(' AND ')} AS isAhead`)
    if (Number(row!['isAhead']) === 1) return node
  }
  return nodes[0]!
}
