// Which file is a controller, and which of its exports. `loadControllers` and the CLI's `bump` share
// this rule.
import { pluralActions } from './declare/actions.ts'

/**
 * The extensions of a controller file. If a controller has files with several of them, the first
 * extension wins.
 */
export const extensions = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs']

/**
 * Finds a controller's file: for `api/v1/users`, a path that ends in `api/v1/users_controller.ts`,
 * or in a different one of the {@link extensions}.
 */
export function controllerFile(paths: readonly string[], controller: string): string | undefined {
  for (const extension of extensions) {
    const end = `/${controller}_controller.${extension}`
    const file = paths.find((path) => `/${path.replaceAll('\\', '/')}`.endsWith(end))
    if (file !== undefined) return file
  }
  return undefined
}

/** A controller's usual class name: `admin/line_items` → `LineItemsController`. */
export function classNameOf(key: string): string {
  const words = key.split('/').at(-1)!.split(/[_-]/)
  return `${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')}Controller`
}

/**
 * What an export is. A `function` creates a controller if its name says so, and is an action
 * otherwise. An `action` is an object with a handler, an `object` has actions.
 */
export type ExportKind = 'class' | 'function' | 'object' | 'action' | 'other'

/**
 * Which of a file's exports is the controller:
 *
 * 1. the default export;
 * 2. `UsersController`, `usersController` or `createUsersController`, or `createUsers` if that's
 *    the only function. The name can contain the number of its own version or of an older one,
 *    because version 2 may export version 1's `usersControllerV1` again;
 * 3. the only export that's a class or has actions;
 * 4. the module itself, if it exports actions.
 *
 * @param exports - the kind of each export, by name
 * @param inDefault - the same for the members of the default export if that's an object:
 *   `module.exports` holds what a CommonJS file exports
 * @returns the export's name, or `'*'` for the module itself; null if there's none; a list if
 *   several could be it
 */
export function controllerExport(
  exports: ReadonlyMap<string, ExportKind>,
  inDefault: ReadonlyMap<string, ExportKind>,
  key: string,
  version: number,
): string | readonly string[] | null {
  const isDefault = (exports.get('default') ?? 'other') !== 'other'
  if (isDefault && namedController(inDefault, key, version) === undefined) return 'default'
  const all = new Map([...inDefault, ...exports])
  const named = namedController(all, key, version)
  if (named !== undefined) return named
  const actions = namesOf(all, 'function', 'action')
  if (pluralActions.some((action) => actions.includes(action))) return '*'
  const candidates = namesOf(all, 'class', 'object')
  if (candidates.length > 0) return candidates.length === 1 ? candidates[0]! : candidates
  return actions.length > 0 ? '*' : null
}

function namedController(
  exports: ReadonlyMap<string, ExportKind>,
  key: string,
  version: number,
): string | undefined {
  const className = classNameOf(key)
  const usualNames = [className, `create${className}`]
  if (namesOf(exports, 'function', 'action').length === 1)
    usualNames.push(`create${className.replace(/Controller$/, '')}`)
  const names = namesOf(exports, 'class', 'function', 'object', 'action')
  for (const usualName of usualNames) {
    const [best] = names
      .map((name) => ({ name, rank: rankOf(name, usualName, version) }))
      .filter(({ rank }) => rank > 0)
      .toSorted((a, b) => b.rank - a.rank)
    if (best !== undefined) return best.name
  }
  return undefined
}

/**
 * Ranks how well an export's name fits the usual name. In version 2, `UsersController` ranks first,
 * then `usersController`, `UsersControllerV2` and `UsersControllerV1`. 0 for any other name.
 */
function rankOf(name: string, usualName: string, version: number): number {
  if (name === usualName) return Infinity
  const isUsual = (text: string) => text.toLowerCase() === usualName.toLowerCase()
  if (isUsual(name)) return version + 1
  for (const { 0: text, 1: number, index } of name.matchAll(/v(\d+)/gi)) {
    const withoutNumber = name.slice(0, index) + name.slice(index + text.length)
    if (isUsual(withoutNumber) && Number(number) <= version) return Number(number)
  }
  return 0
}

/** The exports of some kinds, sorted, because a module's exports have no other order. */
const namesOf = (
  exports: ReadonlyMap<string, ExportKind>,
  ...kinds: readonly ExportKind[]
): readonly string[] =>
  [...exports.keys()]
    .filter((name) => name !== 'default' && kinds.includes(exports.get(name)!))
    .toSorted()
