import type { Life } from '../declare/life.ts'
import type { Node } from '../declare/nodes.ts'
import type { ResourcesOptions, ScopeOptions, VerbOptions } from '../declare/options.ts'
import { quoted } from '../wording.ts'

interface AnyOptions extends ResourcesOptions, ScopeOptions, VerbOptions {}

/** A node of any kind, at run time. */
export interface AnyNode extends Node<string, string, AnyOptions, AnyNode> {
  /** Of a verb. */
  readonly method: string
}

/** A node with its life. Each `cache` and `inherit` in it is replaced by the nodes that it contains or repeats. */
export interface DeclaredNode extends AnyNode {
  readonly nodes: readonly DeclaredNode[]
  readonly version: number
  /** The node in messages: `resources 'users' in version 1`. */
  readonly where: string
  readonly life: Life | null
  /** The life that an `inherit` adds. It counts last, so it can't be joined before that of what encloses the node is. */
  readonly inheritedLife: Life | null
  /** What `except` of an `inherit` names below it: `#destroy`, `posts`. Of it, only the actions are still there. */
  readonly without: readonly string[]
}

/** A node in messages: `resources 'users'`. */
export function describe({ kind, name }: Node): string {
  if (kind === 'version') return `version ${quoted(name)}`
  if (kind === 'extra') return `${String(name)}()`
  if (kind === 'scope' || kind === 'inherit') return `${kind}()`
  return `${kind === 'verb' ? 'route' : kind} ${quoted(name)}`
}
