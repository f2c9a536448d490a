// Everything that can happen to a database cluster, in a row. `npm run figures -- cluster` takes twenty minutes.
import { loadavg } from 'node:os'
import { runConflicts } from '../cluster/conflicts.ts'
import type { DatabaseCluster } from '../cluster/database-cluster.ts'
import { runEvents } from '../cluster/events.ts'
import { startGalera } from '../cluster/galera.ts'
import { startGroup } from '../cluster/group-replication.ts'

const clients = 12
const repeat = (times: number, event: string): readonly string[] => Array<string>(times).fill(event)

const parts: Readonly<Record<string, () => Promise<void>>> = {
  group: () =>
    withCluster(
      'Group Replication, one primary; the proxy closes the sessions of a lost primary',
      startGroup(),
      (group) =>
        runEvents(
          group,
          [
            ...repeat(3, 'switch-over'),
            ...repeat(10, 'kill-primary'),
            ...repeat(3, 'freeze'),
            ...repeat(2, 'lose-majority'),
          ],
          clients,
        ),
    ),
  sessions: () =>
    withCluster(
      'the same; the proxy keeps sessions open',
      startGroup({ keepSessions: true }),
      (group) =>
        runEvents(group, [...repeat(3, 'switch-over'), ...repeat(2, 'lose-majority')], clients),
    ),
  disk: () =>
    withCluster(
      'Group Replication, one primary, whose disk fills up',
      startGroup({ smallDisks: true }),
      (group) => runEvents(group, ['fill-disk'], clients),
    ),
  'multi-primary': () =>
    withCluster('Group Replication, every server a primary', startGroup(), async (group) => {
      await group.actions['multi-primary']!()
      await runConflicts(group)
    }),
  galera: () =>
    withCluster(
      'Galera, an instance of the service on each server',
      startGalera(),
      async (galera) => {
        await runConflicts(galera)
        await runEvents(galera, repeat(3, 'kill'), clients)
      },
    ),
}

/** Acknowledged writes, failures and recovery on clusters. A second argument chooses one of the parts. */
export async function cluster(): Promise<void> {
  const chosen = process.argv[3]
  for (const [name, run] of Object.entries(parts))
    if (chosen === undefined || chosen === name) await run()
}

async function withCluster(
  title: string,
  starting: Promise<DatabaseCluster>,
  run: (cluster: DatabaseCluster) => Promise<void>,
): Promise<void> {
  const started = await starting
  console.log(`\n${title} (load ${loadavg()[0]!.toFixed(1)})`)
  try {
    await run(started)
  } finally {
    await started.stop()
  }
}
