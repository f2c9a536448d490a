// Says over HTTP whether a node is the primary, for HAProxy: 200 or 503 on a port for each node.
// Arguments: `<port of the node>:<port of the check>`, for each node.
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'

/** What a node knows: its own id, and the primary's. */
interface View {
  readonly id: string
  readonly primary: string | null
}

const sql = `SELECT @@server_uuid AS id, (SELECT MIN(MEMBER_ID) FROM performance_schema.replication_group_members
  WHERE MEMBER_STATE = 'ONLINE' AND MEMBER_ROLE = 'PRIMARY') AS \`primary\``

const views = new Map<number, View | undefined>()
const ports = process.argv
  .slice(2)
  .map((argument) => argument.split(':').map(Number) as [number, number])
for (const [port, checkPort] of ports) {
  createServer((_request, response) =>
    response.writeHead(isPrimary(port) ? 200 : 503).end(),
  ).listen(checkPort, '127.0.0.1')
  void watch(port)
}

/** Whether most nodes say so: a node that was frozen takes itself for the primary until it hears from the others. */
function isPrimary(port: number): boolean {
  const id = views.get(port)?.id
  const votes = [...views.values()].filter((view) => view !== undefined && view.primary === id)
  return id !== undefined && votes.length * 2 > ports.length
}

async function watch(port: number): Promise<never> {
  for (;;) {
    try {
      const connection = await createConnection({
        uri: `mysql://admin:admin-pw@127.0.0.1:${port}`,
        connectTimeout: 800,
      })
      connection.on('error', () => {})
      try {
        for (;;) {
          const [rows] = await connection.query({ sql, timeout: 800 })
          views.set(port, (rows as View[])[0])
          await wait(200)
        }
      } finally {
        connection.destroy()
      }
    } catch {
      views.set(port, undefined)
    }
    await wait(200)
  }
}
