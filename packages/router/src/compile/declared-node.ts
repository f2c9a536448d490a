import type { Life } from '../declare/life.ts'
import type { Node } from '../declare/nodes.ts'
import type { ResourcesOptions, ScopeOptions, VerbOptions } from '../declare/options.ts'
import { quoted } from '../wording.ts'

interface AnyOptions extends ResourcesOptions, ScopeOptions, VerbOptions {}

/** A node of any kind, at run time. */
export interface AnyNode extends Node {
  readonly name: string
  readonly options: AnyOptions
  readonly nodes: readonly AnyNode[]
  /** Of a verb. */
  readonly method: string
}

/**
 * A node with its dates. Each `cache` and `inherit` in it is replaced by the nodes that it contains
 * or repeats.
 */
export interface DeclaredNode extends AnyNode {
  readonly nodes: readonly DeclaredNode[]
  readonly version: number
  /** The node in messages: `resources 'users' in version 1`. */
  readonly where: string
  /** The lives of the `inherit`s around it, the outermost first, and then its own. */
  readonly lives: readonly Life[]
  /**
   * What an `inherit` leaves out below the node: `#destroy`, `posts`. The nodes are already gone,
   * but the actions still have to be left out.
   */
  readonly without: readonly string[]
}

/** A node in messages: `resources 'users'`. */
export function describe({ kind, name }: Node): string {
  if (kind === 'version') return `version ${quoted(name)}`
  if (kind === 'extra') return `${String(name)}()`
  if (kind === 'scope' || kind === 'inherit') return `${kind}()`
  return `${kind === 'verb' ? 'route' : kind} ${quoted(name)}`
}
