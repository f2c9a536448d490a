import type { Row } from '@hv/router'

/** What every router under test answers: the row and its parameters. */
export interface Answer {
  readonly route: Row
  readonly params: Readonly<Record<string, string>>
}

/** Routes one request; null when nothing serves it. */
export type Find = (method: string, path: string, accept: string) => Answer | null
