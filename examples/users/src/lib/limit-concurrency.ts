/**
 * Limits how many calls run at once. The others wait in a queue, in order of arrival.
 *
 * @param running how many calls may run at once
 * @param patience milliseconds that a call waits before it rejects
 * @param queued how many calls may wait
 * @param refuse makes the error of a call that does not run
 */
export function limitConcurrency(
  { running, patience, queued = Infinity }: { running: number; patience: number; queued?: number },
  refuse: () => Error,
) {
  let free = running
  const queue = new Set<() => void>()

  return async function run<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free--
    else await wait()
    try {
      return await work()
    } finally {
      const [next] = queue
      if (next === undefined) free++
      else next()
    }
  }

  function wait(): Promise<void> {
    if (queue.size >= queued) throw refuse()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.delete(start)
        reject(refuse())
      }, patience)
      const start = () => {
        queue.delete(start)
        clearTimeout(timer)
        resolve()
      }
      queue.add(start)
    })
  }
}
