import MagicString from 'magic-string'
import type { CallExpression, Node } from 'oxc-parser'
import { UsageError } from '../output.ts'
import { walk } from '../syntax/walk.ts'
import { inheritCall } from './inheritance.ts'
import { isCallOf, readRouteSource, versionCalls, whereIs, wordingOf } from './source.ts'

/**
 * The text of a route file in which a version has no routes. The first version that inherits one of its caches declares it.
 *
 * @param name - the file as messages show it
 * @param life - what to write into the options, when they do not have a sunset: `sunset: '2027-07-01'`
 * @throws UsageError when the file does not write the version in a way that can be followed
 */
// oxlint-disable-next-line max-lines-per-function -- short functions that share the text
export function retireVersion(path: string, name: string, version: number, life: string | null): string {
  const source = readRouteSource(path, name)
  const text = new MagicString(source.text)
  const textOf = ({ start, end }: Node): string => source.text.slice(start, end)
  const refuse = (why: string, node?: Node): never => {
    throw new UsageError(
      `${whereIs(source, node)} ${why}. Move what other versions need out of version ${version} yourself.`,
    )
  }
  const [call, second] = versionCalls(source, version)
  if (call === undefined || second !== undefined)
    return refuse(`does not contain exactly one version(${version}, …)`, second)

  const [number, ...rest] = call.arguments
  const options = rest[0]?.type === 'ObjectExpression' ? rest[0] : null
  const nodes = options === null ? rest : rest.slice(1)
  for (const node of nodes) moveCache(node)
  writeTombstone()
  return text.toString()

  function writeTombstone(): void {
    text.overwrite(call!.callee.end, number!.start, '(')
    text.overwrite(number!.end, call!.end - 1, `, ${optionsOfTombstone()}`)
  }

  function optionsOfTombstone(): string {
    if (life === null)
      return options === null
        ? refuse(`does not write the options of version ${version} as an object`, call)
        : textOf(options)
    if (options === null || options.properties.length === 0) return `{ ${life} }`
    return `{ ${life}, ${textOf(options).slice(1).trimStart()}`
  }

  /** Declares a cache where it is first inherited. */
  function moveCache(node: Node): void {
    const declaration = declarationOf(node)
    if (!isCallOf(declaration, 'cache')) return
    const cache = nameOfCache(declaration)
    if (cache === null) return refuse(`does not write the name of a cache of version ${version}`, declaration)
    for (const { inherit, isWhole, others } of inheritsOf(cache, node)) {
      if (!isWhole)
        throw new UsageError(
          `${whereIs(source, inherit)} inherits only a part of version ${version}'s cache '${cache}', which moves as a whole. ` +
            `Declare that part there, or put it into a cache of its own in version ${version} and inherit that. ` +
            `Then retire version ${version} again.`,
        )
      const kept = others.length === 0 ? '' : `, ${inheritCall(others, wordingOf(source, text))}`
      const moved = textOf(node).replaceAll(`\n${indentOf(node)}`, `\n${indentOf(inherit)}`)
      text.overwrite(inherit.start, inherit.end, moved + kept)
      return
    }
  }

  /** A cache may be kept in a constant. */
  function declarationOf(node: Node): Node {
    if (node.type !== 'Identifier') return node
    for (const statement of source.program.body) {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      if (declaration?.type !== 'VariableDeclaration') continue
      const found = declaration.declarations.find(({ id }) => id.type === 'Identifier' && id.name === node.name)
      if (found?.init) return found.init
    }
    return node
  }

  /** The first call of `inherit` below the version that names the cache. */
  function inheritsOf(cache: string, node: Node): Inheriting[] {
    const found: Inheriting[] = []
    walk(source.program, (one) => {
      if (!isCallOf(one, 'inherit')) return
      const [argument] = one.arguments
      const from = argument?.type === 'ObjectExpression' ? propertyOf(argument, 'from') : null
      const names = (from?.type === 'ArrayExpression' ? from.elements : [from]).map((element) =>
        element === null ? null : nameOfReference(element, node, cache),
      )
      if (!names.includes(cache)) return
      const isWhole = argument?.type === 'ObjectExpression' && argument.properties.length === 1 && !names.includes(null)
      found.push({
        inherit: one,
        isWhole,
        others: names.flatMap((other) => (other === cache ? [] : (other ?? []))),
      })
    })
    return found
  }

  function nameOfReference(element: Node, node: Node, cache: string): string | null {
    if (element.type === 'Literal') return String(element.value)
    if (element.type === 'Identifier' && node.type === 'Identifier' && element.name === node.name) return cache
    const declaration = declarationOf(element)
    return isCallOf(declaration, 'cache') ? nameOfCache(declaration) : null
  }

  /** The blanks at the start of the line of a node. */
  function indentOf({ start }: Node): string {
    return /^[ \t]*/.exec(source.text.slice(source.text.lastIndexOf('\n', start - 1) + 1))![0]
  }
}

/** A call of `inherit` that names a cache. */
interface Inheriting {
  readonly inherit: Node
  /** It has no `only`, `except` or other options, and its caches are known. */
  readonly isWhole: boolean
  readonly others: readonly string[]
}

function propertyOf(object: Node & { type: 'ObjectExpression' }, name: string): Node | null {
  for (const property of object.properties)
    if (property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === name)
      return property.value
  return null
}

function nameOfCache(call: CallExpression): string | null {
  const [options] = call.arguments
  const name = options?.type === 'ObjectExpression' ? propertyOf(options, 'as') : null
  return name?.type === 'Literal' && typeof name.value === 'string' ? name.value : null
}
