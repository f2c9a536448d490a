// `npm run cluster [galera]` starts three database servers and three instances of the service, until Ctrl-C.
// `npm run cluster -- <action>` then does something to them, in another terminal.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { DatabaseCluster } from './database-cluster.ts'
import { startServices } from './events.ts'
import { startGalera } from './galera.ts'
import { startGroup } from './group-replication.ts'

const start: Readonly<Record<string, () => Promise<DatabaseCluster>>> = {
  group: startGroup,
  galera: startGalera,
}
/** Has the address of the cluster that runs. */
const file = join(tmpdir(), `users-cluster-${userInfo().uid}`)

const command = process.argv[2] ?? 'group'
if (start[command] !== undefined) await run(start[command])
else await ask(command)

async function run(startCluster: () => Promise<DatabaseCluster>): Promise<void> {
  const cluster = await startCluster()
  const services = await startServices(cluster)
  const actions = {
    ...cluster.actions,
    status: async () => (await cluster.status()).join('\n'),
    down: async () => (setTimeout(stop, 100), 'stops'),
  }
  const control = createServer((request, response) => {
    const action = actions[request.url!.slice(1) as keyof typeof actions]
    if (action === undefined) response.end(`Choose one of ${Object.keys(actions).join(', ')}.`)
    else
      action().then(
        (text) => response.end(text),
        (error: Error) => response.end(`It failed: ${error.message}`),
      )
  })
  async function stop(): Promise<void> {
    rmSync(file, { force: true })
    control.close()
    services.stop()
    await cluster.stop()
    process.exit(0)
  }
  control.listen(0, '127.0.0.1', () => {
    const { port } = control.address() as { port: number }
    writeFileSync(file, `http://127.0.0.1:${port}`, { mode: 0o600 })
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop())
  console.log((await cluster.status()).join('\n'))
  for (const origin of services.origins) console.log(`the service: ${origin}/docs`)
  console.log(`npm run cluster -- ${Object.keys(actions).join(' | ')}`)
}

async function ask(action: string): Promise<void> {
  try {
    console.log(await (await fetch(`${readFileSync(file, 'utf8')}/${action}`)).text())
  } catch {
    console.error('No cluster runs here. Start one: npm run cluster, or npm run cluster galera')
    process.exitCode = 1
  }
}
