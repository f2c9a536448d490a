/**
 * Lets so many work at a time, and so many wait in line, each for so long at most: what comes on top is refused at once.
 *
 * @param patience milliseconds
 */
export function createTurns(places: number, line: number, patience: number, refuse: () => Error) {
  let free = places
  const waiting = new Set<() => void>()

  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free--
    else await standInLine()
    try {
      return await work()
    } finally {
      const [next] = waiting
      if (next === undefined) free++
      else next() // the place is handed on
    }
  }

  function standInLine(): Promise<void> {
    if (waiting.size >= line) throw refuse()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(go)
        reject(refuse())
      }, patience)
      const go = () => {
        waiting.delete(go)
        clearTimeout(timer)
        resolve()
      }
      waiting.add(go)
    })
  }
}
