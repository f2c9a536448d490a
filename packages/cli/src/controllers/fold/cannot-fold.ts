import type { Place } from '../../syntax/parse.ts'

/** A file that cannot be moved into another, and why. */
export class CannotFold extends Error {
  readonly place: Place

  constructor(why: string, place: Place) {
    super(why)
    this.place = place
  }
}
