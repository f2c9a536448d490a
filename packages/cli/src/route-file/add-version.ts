import MagicString from 'magic-string'
import { UsageError } from '../output.ts'
import { type Node, walk } from '../syntax/nodes.ts'
import { styleOf } from '../syntax/style.ts'
import type { RouteFile } from './route-file.ts'
import {
  type RouteSource,
  isCallOf,
  isVersion,
  readRouteSource,
  versionCall,
  versionCalls,
  whereIs,
  writtenIn,
} from './source.ts'

/** The text of a route file with one more version, right below the one before. */
export function addVersion(
  routeFile: RouteFile,
  name: string,
  base: number,
  next: number,
  caches: readonly string[],
): string {
  const source = readRouteSource(routeFile.path, name)
  if (routeFile.settings.versions.includes(next))
    throw new UsageError(
      `${whereIs(source, versionCalls(source, next)[0])} declares version ${next} already. Run bump without --routes.`,
    )
  const item = lastItem(source, routeFile, base)
  if (item === null)
    throw new UsageError(
      `${name} has no version(${base}, …) to write version ${next} below. Run bump without --routes.`,
    )
  const text = new MagicString(source.text)
  const written = writtenIn(source, text, versionCall(next, caches))
  const [before] = /.*$/.exec(source.text.slice(0, item.start))!
  const after = /^(\s*,)?([^\S\n]*(?:\/\/.*|\/\*.*?\*\/))?(?=[^\S\n]*(?:\r?\n|$))/.exec(
    source.text.slice(item.end),
  )
  if (before.trim() !== '' || after === null) text.appendLeft(item.end, `, ${written}`)
  else {
    // On a line of its own, below a comment that ends the line.
    const [rest, comma = '', comment = ''] = after
    const line = styleOf([source.text]).newline + before + written
    if (rest === '') text.appendLeft(item.end, `,${line}`)
    else text.overwrite(item.end, item.end + rest.length, `,${comment}${line}${comma.trim()}`)
  }
  return text.toString()
}

/** `version(n, …)` in a call of `api()` or in an array; else the last argument of `api()`, if that is the version. */
function lastItem({ program }: RouteSource, { versions }: RouteFile, version: number): Node | null {
  let item: Node | null = null
  walk(program, (list) => {
    const isApi = isCallOf(list, 'api')
    const items = isApi ? list.arguments : list.type === 'ArrayExpression' ? list.elements : []
    const last = items.at(-1)
    const isLast = isApi && versions.at(-1)?.number === version && last?.type === 'Identifier'
    item =
      items.findLast((one) => one !== null && isVersion(one, version)) ?? (isLast ? last : item)
  })
  return item
}

/** What the next version inherits to have all that a version has: its own caches, and those that it inherits itself. */
export function cachesOf({ versions }: RouteFile, version: number): readonly string[] {
  const declared = versions.filter(({ number }) => number === version)
  const [other] = declared.flatMap(({ others }) => others)
  if (other !== undefined)
    throw new UsageError(
      `version ${version} has routes outside of a cache: ${other}, which no version can inherit. ` +
        `Wrap what it declares: version(${version}, cache({ as: 'v${version}' }, …)).`,
    )
  const caches = declared.flatMap((one) => one.caches)
  if (caches.length === 0)
    throw new UsageError(
      `the route file does not declare version ${version}. Add it first, or run bump without --routes.`,
    )
  return [...new Set(caches)]
}
