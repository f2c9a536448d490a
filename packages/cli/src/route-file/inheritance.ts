import { UsageError } from '../output.ts'
import type { RouteFile } from './route-file.ts'

/**
 * The names of the caches that the next version inherits to have all that a version has: its own caches, and what it
 * inherits itself.
 *
 * @throws UsageError when the version has routes that no cache holds
 */
export function cachesOf({ versions }: RouteFile, version: number): readonly string[] {
  const nodes = versions.filter(({ number }) => number === version).flatMap((one) => one.nodes)
  if (nodes.length === 0)
    throw new UsageError(
      `the route file does not declare version ${version}. Add it first, or run bump without --routes.`,
    )
  const names: string[] = []
  for (const node of nodes) {
    if (node.kind === 'cache') names.push(node.name)
    else if (node.kind === 'inherit' && !node.isSelective) names.push(...node.from)
    else
      throw new UsageError(
        `version ${version} has routes outside of a cache${node.kind === 'inherit' ? ' (a selection of one)' : `: ${node.name}`}, ` +
          `which no version can inherit. Wrap what it declares: version(${version}, cache({ as: 'v${version}' }, …)).`,
      )
  }
  return [...new Set(names)]
}

/** What a route file calls the helpers, and how it writes strings. */
export interface Wording {
  readonly nameOf: (helper: string) => string
  readonly quote: string
}

const usual: Wording = { nameOf: (helper) => helper, quote: "'" }

/** `inherit({ from: 'v1' })` */
export function inheritCall(caches: readonly string[], { nameOf, quote }: Wording = usual): string {
  const quoted = caches.map((name) => quote + name + quote)
  return `${nameOf('inherit')}({ from: ${quoted.length === 1 ? quoted[0] : `[${quoted.join(', ')}]`} })`
}

/** `version(2, cache({ as: 'v2' }, inherit({ from: 'v1' })))`: with a cache, which the version after it can inherit. */
export function versionCall(number: number, caches: readonly string[], wording: Wording = usual): string {
  const { nameOf, quote } = wording
  const as = `{ as: ${quote}v${number}${quote} }`
  return `${nameOf('version')}(${number}, ${nameOf('cache')}(${as}, ${inheritCall(caches, wording)}))`
}
