import type { Row } from '@hv/router'

/** What a router under test finds: the row and its parameters. */
export interface Found {
  readonly row: Row
  readonly params: Readonly<Record<string, string>>
}

/** Routes one request; null when nothing serves it. */
export type Find = (method: string, path: string, accept: string) => Found | null
