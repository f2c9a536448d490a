import { Gauge } from 'prom-client'

/** How many calls wait, by the name of their queue. The app adds it to its metrics. */
export const waiting = new Gauge({
  name: 'waiting_calls',
  help: 'Calls that wait for their turn in a queue.',
  labelNames: ['queue'],
  registers: [],
})

/**
 * Limits how many calls run at once, and lets the rest wait. Callers take turns, so one with many
 * calls doesn't delay the rest. Each caller's calls run in order of arrival.
 *
 * @param name the queue's name in the metrics
 * @param running how many calls may run at once
 * @param patience how long a call waits before it rejects, in milliseconds
 * @param queued how many of one caller's calls may wait
 * @param refuse creates the error for a call that doesn't run
 */
export function limitConcurrency(
  {
    name,
    running,
    patience,
    queued = Infinity,
  }: { name: string; running: number; patience: number; queued?: number },
  refuse: () => Error,
) {
  waiting.inc({ queue: name }, 0) // so that the metric exists before somebody waits
  let free = running
  /** The waiting calls, by caller. It's the first caller's turn. */
  const queues = new Map<string, Set<() => void>>()

  return async function run<T>(work: () => Promise<T>, caller = ''): Promise<T> {
    if (free > 0) free--
    else await wait(caller)
    try {
      return await work()
    } finally {
      const start = takeNext()
      if (start === undefined) free++
      else start()
    }
  }

  function wait(caller: string): Promise<void> {
    const queue = queues.get(caller) ?? new Set()
    if (queue.size >= queued) throw refuse()
    queues.set(caller, queue)
    waiting.inc({ queue: name })
    return new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.delete(start)
        if (queue.size === 0) queues.delete(caller)
        reject(refuse())
      }, patience)
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      queue.add(start)
    }).finally(() => waiting.dec({ queue: name }))
  }

  function takeNext(): (() => void) | undefined {
    for (const [caller, queue] of queues) {
      const [start] = queue
      queue.delete(start!)
      queues.delete(caller)
      if (queue.size > 0) queues.set(caller, queue) // behind all others
      return start
    }
    return undefined
  }
}
