import { type Node, type ResourcesOptions, type Selection, type VerbOptions, many } from './dsl.ts'
import { RouterError, listed } from './errors.ts'

/** A node at run time: without the types that `infer.ts` reads. */
export type AnyNode = Node<string, string, ResourcesOptions & VerbOptions, AnyNode> & { readonly method: string }

/** A node, and the version that declared it. */
export type Declared = readonly [node: AnyNode, version: number]

export type Open = (nodes: readonly AnyNode[], version: number) => readonly Declared[]

/**
 * Creates the function that takes the nodes out of their caches, and puts in the place of every inherit what it
 * repeats. It remembers the caches it has met: those are the ones that stand above.
 */
export function createOpener(): Open {
  const caches = new Map<string, { node: AnyNode; inside: readonly Declared[] }>()

  return function open(nodes, version) {
    return nodes.flatMap((node): readonly Declared[] => {
      if (node.kind === 'inherit') return select(many(node.name), node.options, version)
      if (node.kind !== 'cache') return [[node, version]]
      const inside = open(node.nodes, version)
      if ((caches.get(node.name)?.node ?? node) !== node)
        throw new RouterError(
          'HV_DUPLICATE_CACHE',
          `version ${version} declares a second cache named '${node.name}'. Give each cache its own name.`,
          { version, cache: node.name },
        )
      caches.set(node.name, { node, inside })
      return inside
    })
  }

  function select(names: readonly string[], selection: Selection<string>, version: number): readonly Declared[] {
    const found = names.flatMap((name) => contentOf(name, version))
    for (const wanted of [...many(selection.only ?? []), ...many(selection.except ?? [])])
      if (!found.some(([node]) => node.name === wanted))
        throw new RouterError(
          'HV_UNKNOWN_RESOURCE',
          `version ${version} selects '${wanted}' from cache ${names.map((name) => `'${name}'`).join(', ')}, which has: ` +
            `${listed(found.map(([node]) => node.name))}.`,
          { version, caches: names, resource: wanted },
        )
    return found.filter(([node]) => isSelected(node.name, selection))
  }

  function contentOf(name: string, version: number): readonly Declared[] {
    const found = caches.get(name)?.inside
    if (found === undefined)
      throw new RouterError(
        'HV_UNKNOWN_CACHE',
        `version ${version} inherits from '${name}', but no cache is named '${name}' above it. ` +
          `Known caches: ${listed(caches.keys())}.`,
        { version, cache: name, known: [...caches.keys()] },
      )
    return found
  }
}

export const isSelected = <T>(name: T, { only, except }: Selection<T>): boolean =>
  (only === undefined || many(only).includes(name)) && (except === undefined || !many(except).includes(name))
