import MagicString from 'magic-string'
import type { CallExpression } from 'oxc-parser'
import { UsageError } from '../output.ts'
import type { Node } from '../syntax/nodes.ts'
import {
  type RouteSource,
  callsOf,
  inheritCall,
  isCallOf,
  readRouteSource,
  versionCalls,
  whereIs,
  withoutUnusedHelpers,
  writtenIn,
} from './source.ts'

/**
 * The text of a route file in which a version has no routes. The first version that inherits one of its caches declares it.
 * `life` is what its options lack: `sunset: '2027-07-01'`.
 */
export function retireVersion(
  path: string,
  name: string,
  version: number,
  life: string | null,
): string {
  const source = readRouteSource(path, name)
  const text = new MagicString(source.text)
  const [call, second] = versionCalls(source, version)
  if (call === undefined || second !== undefined)
    throw refusal(source, second, `does not contain exactly one version(${version}, …)`, version)
  const [number, ...rest] = call.arguments
  const options = rest[0]?.type === 'ObjectExpression' ? rest[0] : null
  if (options === null && life === null)
    throw refusal(
      source,
      call,
      `does not write the options of version ${version} as an object`,
      version,
    )
  for (const node of options === null ? rest : rest.slice(1)) moveCache(source, text, node, version)

  const written =
    options === null || options.properties.length === 0
      ? ''
      : source.text.slice(options.start, options.end)
  const withLife = written === '' ? `{ ${life} }` : `{ ${life}, ${written.slice(1).trimStart()}`
  text.overwrite(call.callee.end, number!.start, '(')
  text.overwrite(number!.end, call.end - 1, `, ${life === null ? written : withLife}`)
  return withoutUnusedHelpers(text.toString())
}

const refusal = (
  source: RouteSource,
  node: Node | undefined,
  why: string,
  version: number,
): UsageError =>
  new UsageError(
    `${whereIs(source, node)} ${why}. Move what other versions need out of version ${version} yourself.`,
  )

/** Declares a cache of a version where it is first inherited. */
function moveCache(source: RouteSource, text: MagicString, node: Node, version: number): void {
  const declaration = declarationOf(source, node)
  if (!isCallOf(declaration, 'cache')) return
  const cache = nameOfCache(declaration)
  if (cache === null)
    throw refusal(
      source,
      declaration,
      `does not write the name of a cache of version ${version}`,
      version,
    )
  const [inherit, ...others] = callsOf(source, 'inherit').filter((call) =>
    inheritedBy(source, call).includes(cache),
  )
  if (inherit === undefined) return
  const caches = inheritedBy(source, inherit)
  const unselected = unselectedNodes(declaration, inherit)
  if (
    unselected === null ||
    caches.includes(null) ||
    (unselected.length > 0 && others.length + caches.length > 1)
  )
    throw new UsageError(
      `${whereIs(source, inherit)} inherits only a part of version ${version}'s cache '${cache}'. retire can leave out whole resources of a cache that one version inherits, ` +
        `named in only or except, and nothing else. Declare that part there, or put it into a cache of its own in version ${version} and inherit that. ` +
        `Then retire version ${version} again.`,
    )
  for (const child of unselected)
    text.remove(declaration.arguments[declaration.arguments.indexOf(child) - 1]!.end, child.end)
  const rest = caches.flatMap((other) => (other === cache ? [] : (other ?? [])))
  const kept = rest.length === 0 ? '' : `, ${writtenIn(source, text, inheritCall(rest))}`
  const moved = text
    .slice(node.start, node.end)
    .replaceAll(`\n${indentOf(source, node)}`, `\n${indentOf(source, inherit)}`)
  text.overwrite(inherit.start, inherit.end, moved + kept)
}

/** The nodes of a cache that an `inherit` leaves out by their names; null when it does more than that. */
function unselectedNodes(
  cache: CallExpression,
  { arguments: [options] }: CallExpression,
): CallExpression['arguments'] | null {
  if (options?.type !== 'ObjectExpression' || options.properties.length > 2) return null
  if (options.properties.length === 1) return []
  const [only, except] = [propertyOf(options, 'only'), propertyOf(options, 'except')]
  const list = only ?? except
  const selected = (list?.type === 'ArrayExpression' ? list.elements : [list]).map(literalOf)
  const [, ...nodes] = cache.arguments
  const names = nodes.map((node) =>
    node.type === 'CallExpression' ? literalOf(node.arguments[0]) : null,
  )
  if (names.includes(null) || !selected.every((name) => names.includes(name))) return null
  return nodes.filter((_, index) => selected.includes(names[index]!) === (only === null))
}

/** What a name stands for: a cache may be kept in a constant. */
function declarationOf({ program }: RouteSource, node: Node): Node {
  if (node.type !== 'Identifier') return node
  const declarators = program.body
    .map((statement) =>
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement,
    )
    .flatMap((statement) =>
      statement?.type === 'VariableDeclaration' ? statement.declarations : [],
    )
  return (
    declarators.find(({ id }) => id.type === 'Identifier' && id.name === node.name)?.init ?? node
  )
}

/** The names of the caches that a call of `inherit` repeats. Null for what is not known. */
function inheritedBy(
  source: RouteSource,
  { arguments: [argument] }: CallExpression,
): readonly (string | null)[] {
  const from = propertyOf(argument, 'from')
  return (from?.type === 'ArrayExpression' ? from.elements : [from]).map((element) => {
    if (element?.type === 'Literal') return String(element.value)
    const declaration = element && declarationOf(source, element)
    return declaration && isCallOf(declaration, 'cache') ? nameOfCache(declaration) : null
  })
}

/** The blanks at the start of the line of a node. */
const indentOf = ({ text }: RouteSource, { start }: Node): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1))![0]

function propertyOf(object: Node | undefined, name: string): Node | null {
  for (const property of object?.type === 'ObjectExpression' ? object.properties : [])
    if (
      property.type === 'Property' &&
      property.key.type === 'Identifier' &&
      property.key.name === name
    )
      return property.value
  return null
}

const nameOfCache = (call: CallExpression): string | null =>
  literalOf(propertyOf(call.arguments[0], 'as'))

const literalOf = (node: Node | null | undefined): string | null =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null
