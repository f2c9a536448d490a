/** Choices that a seed repeats. */
export interface Random {
  readonly below: (count: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(list: readonly T[]) => T
  /** A list of values, each drawn on its own. */
  readonly several: <T>(least: number, most: number, draw: () => T) => T[]
  /** Each of them with a probability of one half, but at least the first. */
  readonly some: <T>(list: readonly T[]) => T[]
}

export function createRandom(seed: number): Random {
  let state = seed | 0
  const below = (count: number): number => Math.floor(next() * count)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  return {
    below,
    pick,
    chance: (probability) => next() < probability,
    several: (least, most, draw) =>
      Array.from({ length: least + below(most - least + 1) }, () => draw()),
    some(list) {
      const chosen = list.filter(() => next() < 0.5)
      return chosen.length > 0 ? chosen : list.slice(0, 1)
    },
  }

  /** Mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
