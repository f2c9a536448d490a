// Writes that contradict each other, at once on several servers.
import { setTimeout as wait } from 'node:timers/promises'
import { tokens } from '../test/services.ts'
import type { DatabaseCluster } from './database-cluster.ts'
import { startServices } from './events.ts'
import type { Node } from './node.ts'

const json = { 'content-type': 'application/json' }
const headersOf = (id: number) => ({
  ...json,
  authorization: `Bearer ${tokens.sign({ id, tokenVersion: 0 })}`,
})

/** Thirty clients write one row for ten seconds; then two admins, the last ones, delete themselves at once, forty times. */
export async function runConflicts(cluster: DatabaseCluster): Promise<void> {
  const { origins, stop } = await startServices(cluster)
  await writeOneRow(cluster, origins)
  await deleteLastAdmins(cluster, origins)
  stop()
}

async function writeOneRow({ nodes }: DatabaseCluster, origins: readonly string[]): Promise<void> {
  const id = await addUser(nodes[0]!, 'hot', 'user')
  await wait(1000)
  const statuses = new Map<number, number>()
  const acknowledged = new Set<string>()
  const until = Date.now() + 10_000
  const clients = Array.from({ length: 30 }, async (_, client) => {
    for (let i = 0; Date.now() < until; i++) {
      const name = `c${client}n${i}`
      const init = { method: 'PUT', headers: headersOf(id), body: JSON.stringify({ name }) }
      const response = await fetch(`${origins[(client + i) % origins.length]}/users/${id}`, init)
      await response.text()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      if (response.status === 200) acknowledged.add(name)
    }
  })
  await Promise.all(clients)
  await wait(1000)
  const names = await Promise.all(
    nodes.map(async (node) =>
      String((await node.query(`SELECT name FROM users.users WHERE id = ${id}`))[0]!['name']),
    ),
  )
  const total = [...statuses.values()].reduce((sum, n) => sum + n, 0)
  const failed = total - (statuses.get(200) ?? 0)
  console.log(
    `30 clients on one row for 10 s:`,
    Object.fromEntries(statuses),
    `${((100 * failed) / total).toFixed(2)} % failed; every server has an acknowledged name, the same:`,
    new Set(names).size === 1 && acknowledged.has(names[0]!),
  )
}

async function deleteLastAdmins(
  { nodes }: DatabaseCluster,
  origins: readonly string[],
): Promise<void> {
  const left = new Map<number, number>()
  const outcomes = new Map<string, number>()
  for (let round = 0; round < 40; round++) {
    await nodes[0]!.query("DELETE FROM users.users WHERE role = 'admin'")
    const ids = [
      await addUser(nodes[0]!, `a${round}`, 'admin'),
      await addUser(nodes[0]!, `b${round}`, 'admin'),
    ]
    await untilOnAll(nodes, ids[1]!)
    const responses = await Promise.all(
      ids.map((id, i) =>
        fetch(`${origins[i]}/users/${id}`, { method: 'DELETE', headers: headersOf(id) }),
      ),
    )
    const outcome = responses
      .map(({ status }) => status)
      .toSorted()
      .join(' and ')
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    await wait(200)
    const counts = await Promise.all(nodes.map(countAdmins))
    for (const count of counts) left.set(count, (left.get(count) ?? 0) + 1)
  }
  console.log('40 rounds of two last admins:', Object.fromEntries(outcomes))
  console.log('admins left, on each of three servers after each round:', Object.fromEntries(left))
}

/** Adds a user as a registration would, but without the time that a password takes. */
async function addUser(node: Node, username: string, role: string): Promise<number> {
  await node.query(
    `INSERT INTO users.users (username, username_key, password_hash, role) VALUES ('${username}', '${username}', 'x', '${role}')`,
  )
  return Number(
    (await node.query(`SELECT id FROM users.users WHERE username_key = '${username}'`))[0]!['id'],
  )
}

async function untilOnAll(nodes: readonly Node[], id: number): Promise<void> {
  for (const node of nodes)
    while ((await node.query(`SELECT id FROM users.users WHERE id = ${id}`)).length === 0)
      await wait(20)
}

const countAdmins = async (node: Node): Promise<number> =>
  Number((await node.query("SELECT COUNT(*) AS n FROM users.users WHERE role = 'admin'"))[0]!['n'])
