import type { Node } from './node.ts'

/** Three database servers that behave as one, and what can happen to them. */
export interface DatabaseCluster {
  readonly nodes: readonly Node[]
  /** `DATABASE_URL` of each of three instances of the service. */
  readonly urls: readonly string[]
  /** Each returns what it did. */
  readonly actions: Readonly<Record<string, () => Promise<string>>>
  /** A line for each node. */
  status(): Promise<readonly string[]>
  stop(): Promise<void>
}
