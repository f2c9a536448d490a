// Tests by Fastify and its plugins that don't pass with versioned routes. `npm run parity` fails if one is missing here, and if one
// here passes again.
import type { Mode } from './modes.ts'

export interface Difference {
  /** Why: the words in bold that begin a paragraph of docs/guide/native-routes.md. */
  readonly reason: string
  /** @default each mode but `native` */
  readonly onlyIn?: readonly Mode[]
  /** The tests' names, by file (`fastify/test/hooks.test.js`). The second of two with one name is `name #2`. */
  readonly tests: Readonly<Record<string, readonly string[]>>
}

export const differences: readonly Difference[] = []
