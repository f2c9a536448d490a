/**
 * Limits how many calls run at once. The others wait. Callers take turns, so one with many calls does not delay
 * another; the calls of one caller run in order of arrival.
 *
 * @param running how many calls may run at once
 * @param patience milliseconds that a call waits before it rejects
 * @param queued how many calls of one caller may wait
 * @param refuse makes the error of a call that does not run
 */
export function limitConcurrency(
  { running, patience, queued = Infinity }: { running: number; patience: number; queued?: number },
  refuse: () => Error,
) {
  let free = running
  /** The calls that wait, by caller. The first caller is the next. */
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
    return new Promise((resolve, reject) => {
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
    })
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
