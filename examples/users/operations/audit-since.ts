// `npm run audit-since <time> <file>…`: prints the changes that a restored database lacks, from the service's log and from
// data/audit.log, where the commands record what they did.
import { readFileSync } from 'node:fs'

const changes = /^(?:user\.deleted|(?:password|name|role)\.changed)$/
const [from = '', ...files] = process.argv.slice(2)
try {
  const since = Date.parse(from)
  if (Number.isNaN(since) || files.length === 0)
    throw new Error(
      "Usage: npm run audit-since <the backup's time, such as 2026-11-28T05:30:00Z> <log file>…",
    )
  const events = files.flatMap(readEvents).toSorted((a, b) => a.time - b.time)
  const missing = events.filter(
    ({ time, audit, role }) =>
      time >= since && (changes.test(audit) || (audit === 'user.created' && role === 'admin')),
  )
  for (const { time, audit, user, username, role } of missing)
    console.log(
      [new Date(time).toISOString(), audit, user, username, role].filter(Boolean).join(' '),
    )
  console.log(`${missing.length} changes since ${new Date(since).toISOString()}`)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

interface Event {
  readonly time: number
  readonly audit: string
  readonly user?: number
  readonly username?: string
  readonly role?: string
}

/** The audit's lines in a log. Docker may have put a name before them, and the last one may be cut off. */
function readEvents(file: string): readonly Event[] {
  const lines = readFileSync(file, 'utf8').match(/\{.*"audit":.*\}$/gm)
  if (lines === null) throw new Error(`${file} has no audit lines. Is it the service's log?`)
  return lines.map((line) => JSON.parse(line) as Event)
}
