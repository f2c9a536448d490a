import type { Budget } from '../budget.ts'
import type { Component, Direction, Gap } from './gap.ts'
import type { Home } from './home.ts'
import type { MeansTheSame } from './intern.ts'
import type { Reader } from './reader.ts'
import type { Pair } from './solve.ts'
import type { Union } from './unions.ts'
import type { Json } from '../json.ts'

/** The two sides of a comparison, as all of its pairs see them. */
export interface Sides {
  readonly direction: Direction
  readonly readSent: Reader
  readonly readRead: Reader
  readonly readUnion: (read: Json) => Union | null
  readonly meansTheSame: MeansTheSame
  readonly budget: Budget
  /**
   * What a pair is called. Readers know the older document, so it's what refers to the pair there.
   */
  readonly homeOf: (pair: Pair) => Home | null
  readonly causeOf: (home: Home, gap: Gap) => Component
  /**
   * @param isDetour - the pair only matters if a different one, which is reported anyway, doesn't
   * fit
   */
  readonly pairOf: (sent: unknown, read: unknown, isDetour?: boolean) => Pair
}
