import { type Api } from '@hv/router'
import { UsageError } from './io.ts'
import { blank, closingOf } from './sources.ts'

/**
 * What the next version writes to have all that a version has: its own caches, and what it inherits itself.
 *
 * @throws UsageError when the version has routes that no cache holds
 */
export function inheritanceOf({ versions }: Api, version: number): string {
  const nodes = versions.filter(({ name }) => name === version).flatMap((one) => one.nodes as readonly RouteNode[])
  if (nodes.length === 0)
    throw new UsageError(`the route file does not declare version ${version}. Run bump without --routes.`)
  const names: string[] = []
  for (const { kind, name, options } of nodes) {
    const isSelective = options.only !== undefined || options.except !== undefined
    if (kind === 'cache') names.push(name as string)
    else if (kind === 'inherit' && !isSelective) names.push(...([name].flat() as string[]))
    else
      throw new UsageError(
        `version ${version} has routes outside of a cache${kind === 'inherit' ? ' (a selection of one)' : `: ${String(name)}`}, ` +
          `which no version can inherit. Wrap what it declares: version(${version}, cache({ as: 'v${version}' }, …)).`,
      )
  }
  const quoted = [...new Set(names)].map((name) => `'${name}'`)
  return `inherit({ from: ${quoted.length === 1 ? quoted[0] : `[${quoted.join(', ')}]`} })`
}
interface RouteNode {
  readonly kind: string
  readonly name: unknown
  readonly options: { readonly only?: unknown; readonly except?: unknown }
}

/**
 * The text of a route file with one more version, right below the one before.
 *
 * @throws UsageError when the file does not write that version as a call of `version` with a number
 */
export function addVersion(text: string, file: string, base: number, next: number, inheritance: string): string {
  const code = blank(text)
  const calls = [...code.matchAll(/(?<![\w$.])version\s*\(\s*(\d+)\s*,/g)]
  if (calls.some(([, number]) => Number(number) === next))
    throw new UsageError(`${file} declares version ${next} already. Run bump without --routes.`)
  const call = calls.findLast(([, number]) => Number(number) === base)
  const close = call === undefined ? -1 : closingOf(code, code.indexOf('(', call.index))
  if (call === undefined || close < 0)
    throw new UsageError(
      `${file} has no version(${base}, …) to write version ${next} below. Run bump without --routes.`,
    )

  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const lineStart = text.lastIndexOf('\n', call.index) + 1
  const before = text.slice(lineStart, call.index)
  const indent = /^\s*$/.test(before) ? before : ''
  const separator = indent === '' ? ' ' : newline + indent
  const comma = /^\s*,/.exec(code.slice(close + 1))
  const at = close + 1 + (comma === null ? 0 : comma[0].length)
  // A comment that ends the line of the version before stays there.
  const rest = comma === null || indent === '' ? '' : /^[^\S\n]*(?:\/\/[^\n\r]*)?/.exec(text.slice(at))![0]
  const quote = /from\s*"/.test(text) ? '"' : "'"
  const written = `version(${next}, ${inheritance.replaceAll("'", quote)})`
  const inserted = (comma === null ? ',' : '') + rest + separator + written + (comma === null ? '' : ',')
  return importInherit(text.slice(0, at) + inserted + text.slice(at + rest.length), file)
}

/** Adds `inherit` to what the file imports, where it is missing. */
function importInherit(text: string, file: string): string {
  if (/[{,]\s*inherit\b\s*(?:[,}:]|as\b)|\bimport\s*\*\s*as\b/.test(text.replace(/inherit\s*\(/g, ''))) return text
  const changed = text.replace(
    /(\{)([^{}]*?)(,?\s*)(\}\s*(?:from\s*['"]@hv\/router['"]|=\s*require\(\s*['"]@hv\/router['"]))/,
    (_all, open: string, names: string, space: string, close: string) => `${open}${names}, inherit${space}${close}`,
  )
  if (changed === text)
    throw new UsageError(`${file} does not import from '@hv/router' in a way that bump can extend by inherit.`)
  return changed
}
