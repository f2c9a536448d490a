// Says over HTTP whether a node is the primary, for HAProxy: 200 or 503 on a port for each node.
// Arguments: `<port of the node>:<port of the check>`, for each node.
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'

/** The primary, with a majority of the group behind it. */
const sql = `SELECT COUNT(*) AS isPrimary FROM performance_schema.replication_group_members
  WHERE MEMBER_ID = @@server_uuid AND MEMBER_STATE = 'ONLINE' AND MEMBER_ROLE = 'PRIMARY' AND @@super_read_only = 0
  AND (SELECT SUM(MEMBER_STATE IN ('ONLINE', 'RECOVERING')) * 2 > COUNT(*) FROM performance_schema.replication_group_members)`

for (const argument of process.argv.slice(2)) {
  const [port, checkPort] = argument.split(':').map(Number) as [number, number]
  let isPrimary = false
  createServer((_request, response) => response.writeHead(isPrimary ? 200 : 503).end()).listen(checkPort, '127.0.0.1')
  void watch(port, (answer) => (isPrimary = answer))
}

async function watch(port: number, tell: (isPrimary: boolean) => void): Promise<never> {
  for (;;) {
    const connecting = createConnection({
      uri: `mysql://admin:admin-pw@127.0.0.1:${port}`,
      connectTimeout: 800,
    })
    try {
      const connection = await connecting
      connection.on('error', () => {})
      try {
        for (;;) {
          const [rows] = await connection.query({ sql, timeout: 800 })
          tell(Number((rows as { isPrimary: number }[])[0]!.isPrimary) === 1)
          await wait(200)
        }
      } finally {
        connection.destroy()
      }
    } catch {
      tell(false)
    }
    await wait(200)
  }
}
