// Changes two users and delivers the events, in a process that kills itself at step KILL_AT. Each SQL statement and each
// delivery is a step, so the example's sources need no hook.
import { createRouter } from '@hv/router-fastify'
import fastify from 'fastify'
import { db } from '../src/database.ts'
import { routes } from '../src/routes.ts'
import { stream } from '../src/stream.ts'
import { v1, v2 } from '../src/versions.ts'
import { runWorker } from '../src/worker.ts'

const killAt = Number(process.env['KILL_AT'] ?? Infinity)
let steps = 0
function step(): void {
  steps++
  if (steps === killAt) process.kill(process.pid, 'SIGKILL')
}

/** Makes calls of these methods steps. */
function count<Name extends string>(
  object: Record<Name, (...args: any[]) => any>,
  ...names: readonly Name[]
): void {
  for (const name of names) {
    const method = object[name].bind(object)
    const value = (...args: unknown[]) => {
      step()
      return method(...args)
    }
    Object.defineProperty(object, name, { value })
  }
}
const prepare = db.prepare.bind(db)
const value = (sql: string) => {
  const statement = prepare(sql)
  count(statement, 'get', 'all', 'run')
  return statement
}
Object.defineProperty(db, 'prepare', { value })
count(db, 'exec')
count(globalThis, 'fetch')

const app = fastify()
app.register(createRouter(routes, { 1: { ...v1, stream }, 2: { ...v2, stream } }))
for (const [method, url, payload] of JSON.parse(process.env['REQUESTS'] ?? '[]'))
  await app.inject({
    method,
    url,
    payload,
    headers: { accept: 'application/vnd.acme+json;version=1' },
  })

// A worker that's stopped in its first round finishes that round.
const stopping = new AbortController()
const round = runWorker(stopping.signal)
stopping.abort()
await round
db.close()
console.log(steps)
