import type { Node } from '../declare/nodes.ts'
import type { ResourcesOptions, ScopeOptions, VerbOptions } from '../declare/options.ts'
import { quoted } from '../wording.ts'

interface AnyOptions extends ResourcesOptions, ScopeOptions, VerbOptions {}

/** A node of any kind, at run time. An `inherit` contains the nodes that it repeats. */
export interface AnyNode extends Node {
  readonly name: string
  readonly options: AnyOptions
  readonly nodes: readonly AnyNode[]
  /** Of a verb. */
  readonly method: string
  /** The version that declares it. */
  readonly version: number
}

/** A node in messages: `resources 'users'`. */
export function describe({ kind, name }: Node): string {
  if (kind === 'version') return `version ${quoted(name)}`
  if (kind === 'extra') return `${String(name)}()`
  if (kind === 'scope' || kind === 'inherit') return `${kind}()`
  return `${kind === 'verb' ? 'route' : kind} ${quoted(name)}`
}
