import type MagicString from 'magic-string'
import type { CallExpression } from 'oxc-parser'
import { UsageError } from '../output.ts'
import { type Node, dottedName, walk } from '../syntax/nodes.ts'
import { type SourceFile, parseFile, placeOf } from '../syntax/parse.ts'
import { styleOf } from '../syntax/style.ts'

/** A route file to edit. */
export interface RouteSource extends SourceFile {
  /** The file as messages show it. */
  readonly name: string
}

export function readRouteSource(path: string, name: string): RouteSource {
  const file = parseFile(path)
  if ('why' in file) throw new UsageError(`${name}:${file.place.line} ${file.why}`)
  return { ...file, name }
}

/** Whether a node is a call of a helper: `version(…)`, or `hv.version(…)`. */
export const isCallOf = (node: Node, helper: string): node is CallExpression =>
  node.type === 'CallExpression' && new RegExp(`^(?:\\w+\\.)?${helper}$`).test(dottedName(node.callee))

/** Whether a node is `version(n, …)`. */
export function isVersion(node: Node, version: number): node is CallExpression {
  const [number] = isCallOf(node, 'version') ? node.arguments : []
  return number?.type === 'Literal' && number.value === version
}

/** The calls of a helper, in the order of the file. */
export function callsOf({ program }: RouteSource, helper: string): readonly CallExpression[] {
  const calls: CallExpression[] = []
  walk(program, (node) => {
    if (isCallOf(node, helper)) calls.push(node)
  })
  return calls
}

export const versionCalls = (source: RouteSource, version: number): readonly CallExpression[] =>
  callsOf(source, 'version').filter((call) => isVersion(call, version))

/** `file:line` of a node. */
export const whereIs = (source: RouteSource, node: Node | undefined): string =>
  node === undefined ? source.name : `${source.name}:${placeOf(source, node).line}`

/** Writes helpers as the file calls `api` or `version`, and imports those that it doesn't import yet. */
export function wordingOf(source: RouteSource, text: MagicString): Wording {
  const { name, text: before } = source
  const call = [...callsOf(source, 'api'), ...callsOf(source, 'version')].at(-1)
  const prefix = /^\w+\./.exec(call === undefined ? '' : dottedName(call.callee))?.[0] ?? ''
  const imported = /(?:import|const|let|var)\s*\{([^}]*?),?\s*\}\s*(?:from|=\s*require\()\s*['"]@hv\/router['"]/.exec(
    before,
  )
  let names = imported?.[1]
  const end = imported === null ? 0 : before.indexOf(names!, imported.index) + names!.length
  const nameOf = (helper: string): string => {
    if (prefix !== '') return prefix + helper
    if (names === undefined)
      throw new UsageError(`${name} does not import ${helper} from '@hv/router'. Import it, and try again.`)
    if (!new RegExp(String.raw`\b${helper}\b`).test(names)) {
      text.appendLeft(end, `, ${helper}`)
      names += `, ${helper}`
    }
    return helper
  }
  return { nameOf, quote: styleOf([before]).quote }
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
