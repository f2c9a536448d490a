import type { Budget } from '../budget.ts'
import type { MeansTheSame } from './intern.ts'
import type { Reader } from './reader.ts'
import type { Pair } from './solve.ts'

/** A request is sent by clients of the older document and read by the newer API; a response the other way round. */
export type Direction = 'request' | 'response'

/** The two sides of a comparison, as all of its pairs see them. */
export interface Sides {
  readonly direction: Direction
  readonly readSent: Reader
  readonly readRead: Reader
  readonly meansTheSame: MeansTheSame
  readonly budget: Budget
  /** @param isDetour - the pair only matters if a different one, which is reported anyway, doesn't fit */
  readonly pairOf: (sent: unknown, read: unknown, isDetour?: boolean) => Pair
}
