import type { Budget } from '../budget.ts'
import type { Component, Gap } from './gap.ts'
import type { MeansTheSame } from './intern.ts'
import type { Reader } from './reader.ts'
import type { Pair } from './solve.ts'

/** A request is sent by clients of the older document and read by the newer API; a response the other way round. */
export type Direction = 'request' | 'response'

/** A reference of the older document. */
export interface Home {
  readonly ref: string
  /** What the newer document refers to instead, although it has the older document's component. */
  readonly replacement: string | null
}

/** The two sides of a comparison, as all of its pairs see them. */
export interface Sides {
  readonly direction: Direction
  readonly readSent: Reader
  readonly readRead: Reader
  readonly meansTheSame: MeansTheSame
  readonly budget: Budget
  /** What a pair is called. Readers know the older document, so it's what refers to the pair there. */
  readonly homeOf: (pair: Pair) => Home | null
  readonly causeOf: (home: Home, gap: Gap) => Component
  /** @param isDetour - the pair only matters if a different one, which is reported anyway, doesn't fit */
  readonly pairOf: (sent: unknown, read: unknown, isDetour?: boolean) => Pair
}
