import type { Life } from '../declare/life.ts'
import type { Node } from '../declare/nodes.ts'
import type { ResourcesOptions, ScopeOptions, VerbOptions } from '../declare/options.ts'

interface AnyOptions extends ResourcesOptions, ScopeOptions, VerbOptions {}

/** A node of any kind, at run time. */
export interface AnyNode extends Node<string, string, AnyOptions, AnyNode> {
  /** Of a verb. */
  readonly method: string
  /** What `except` of `inherit` names below this node: `#destroy`, `posts`. */
  readonly without?: readonly string[]
  /** The life that an `inherit` gives to the node that it repeats. */
  readonly life?: Life
}

/** A node, and the version that declares it. */
export type DeclaredNode = readonly [node: AnyNode, version: number]

/** Takes the nodes out of their caches, and replaces each `inherit` by the nodes that it repeats. */
export type ExpandInherits = (nodes: readonly AnyNode[], version: number) => readonly DeclaredNode[]
