/// <reference types="node" />
/**
 * Loads controllers by their files' names. Only this entry uses Node's built-in modules.
 *
 * @module
 */
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, posix } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isAnyObject } from './changes/json-schema.ts'
import { type Api, assertApi, routeTable } from './compile/api.ts'
import type { Row } from './compile/route.ts'
import { pluralActions } from './declare/actions.ts'
import { RouterError, assertObject } from './errors.ts'

/**
 * The controllers that `createRouter` requires. TypeScript can't see the files, so each action's
 * type is `never`.
 */
export type LoadedControllers<Table> = {
  [V in keyof Table]: { [Key in keyof Table[V]]: { [Name in keyof Table[V][Key]]: never } }
}

/**
 * A controller class, as its file exports it. A function that returns the controller can also be
 * called with `new`.
 */
export type ControllerClass = new (...args: unknown[]) => object

/** Modules by path, or functions that load them. Vite's `import.meta.glob` returns both forms. */
export type ControllerModules = Readonly<Record<string, object | (() => Promise<object>)>>

/** The options of `loadControllers`. */
export interface LoadOptions {
  /**
   * Creates the controller from its class, or from the function that returns it. A promise is
   * awaited.
   *
   * @default (Controller) => new Controller()
   */
  readonly create?: (Controller: ControllerClass) => object
  /**
   * Imports a controller file by its absolute path. If a test runner transforms your files, pass
   * `(path) => import(path)` from a file of yours, so that the runner's `import` loads them instead
   * of Node's.
   */
  readonly import?: (path: string) => Promise<object>
}

/**
 * The extensions of a controller file. If a controller has files with several of them, the first
 * extension wins.
 */
export const extensions = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs']

/**
 * Loads the controllers of all versions: `api/v<n>/<resource>_controller.{ts,js,…}`, in subfolders
 * for namespaces. {@link controllerExport} says which export is the controller.
 *
 * @param source - URL or path of the folder that contains `api/v<n>/`, or modules by path
 * @param options - {@link LoadOptions}, or `create` alone
 * @throws RouterError HV_MISSING_CONTROLLERS, which lists every missing file, class and method;
 *   HV_OPTION
 * @example
 * const folder = new URL('./controllers/', import.meta.url)
 * app.register(createRouter(routes, await loadControllers(routes, folder, (Controller) => new Controller(store))))
 * @example
 * const controllers = await loadControllers(routes, import.meta.glob('./controllers/**'))
 */
export async function loadControllers<T>(
  api: Api<T>,
  source: URL | string | ControllerModules,
  options: LoadOptions | NonNullable<LoadOptions['create']> = {},
): Promise<LoadedControllers<T>> {
  const { create = (Controller) => new Controller(), import: load = importFile }: LoadOptions =
    typeof options === 'function' ? { create: options } : options
  assertApi(api, 'loadControllers()')
  const expected = 'the URL or path of a folder, or modules by path'
  if (typeof source !== 'string') assertObject('loadControllers()', 'source', expected, source)
  const folder = source instanceof URL ? fileURLToPath(source) : source
  const loaded: Record<number, Record<string, object>> = Object.fromEntries(
    api.settings.versions.map((version) => [version, {}]),
  )
  const missing: string[] = []
  const rowsByPath = new Map<string, Row[]>() // `api/v2/admin/users`
  for (const row of routeTable(api))
    rowsByPath.set(row.controller, [...(rowsByPath.get(row.controller) ?? []), row])

  for (const [path, rows] of rowsByPath) {
    const { version, key } = rows[0]!
    const actions = [...new Set(rows.map(({ action }) => action))]
    const className = classNameOf(key)
    const modules = typeof folder === 'string' ? await modulesIn(folder, path, load) : folder
    // `modulesIn` has already followed the namespace, so only the file's name is left to compare.
    const wanted = typeof folder === 'string' ? basename(path) : posix.normalize(path)
    const file = controllerFile(Object.keys(modules), wanted)
    if (file === undefined) {
      missing.push(
        `${path}_controller.${extensions[0]}: a class ${className} with ${actions.join(', ')}`,
      )
      continue
    }
    const module = modules[file]!
    const exports =
      typeof module === 'function' ? await (module as () => Promise<object>)() : module
    const exported = controllerOf(exports, key, version)
    if (typeof exported === 'string') {
      missing.push(`${file}: ${exported}`)
      continue
    }
    const created =
      typeof exported === 'function' ? await create(constructible(exported)) : exported
    const controller = (isAnyObject(created) ? created : {}) as Record<string, unknown>
    const missingActions = actions.filter((action) => !isAction(controller[action]))
    if (missingActions.length > 0) {
      const names = missingActions.map((action) => `${className}#${action}`)
      missing.push(`${file}: ${names.join(', ')}`)
    }
    loaded[version]![key] = controller
  }
  if (missing.length > 0) {
    const searched = typeof folder === 'string' ? folder : 'the modules'
    throw new RouterError('HV_MISSING_CONTROLLERS', { folder: searched, missing })
  }
  return loaded as LoadedControllers<T>
}

/** The comments make bundlers leave this import to Node, without a warning. */
const importFile = (path: string): Promise<object> =>
  import(/* webpackIgnore: true */ /* @vite-ignore */ pathToFileURL(path).href) as Promise<object>

/** The files in a controller's folder, in the form of {@link ControllerModules}. */
async function modulesIn(
  folder: string,
  path: string,
  load: (file: string) => Promise<object>,
): Promise<ControllerModules> {
  const subfolder = join(folder, dirname(path))
  const names = await readdir(subfolder).catch((): string[] => [])
  const files = names.map((name) => join(subfolder, name))
  return Object.fromEntries(files.map((file) => [file, () => load(file)]))
}

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
  const words = basename(key).split(/[_-]/)
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
  const isUsual = (text: string): boolean => text.toLowerCase() === usualName.toLowerCase()
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

/**
 * Returns the controller that a module exports, or its class or factory. Otherwise, returns a text
 * that says what to export.
 */
function controllerOf(module: object, key: string, version: number): object | string {
  const outer = module as Record<string, unknown>
  // TypeScript's CommonJS has its default export inside `module.exports`, which Node imports as
  // default.
  const inner = outer['default'] as Record<string, unknown> | null | undefined
  const exports = typeof inner === 'object' && inner?.['__esModule'] === true ? inner : outer
  const main = exports['default']
  const members = typeof main === 'object' && main !== null ? (main as Record<string, unknown>) : {}
  const name = controllerExport(kindsOf(exports), kindsOf(members), key, version)
  if (name === '*') return { ...members, ...exports }
  if (typeof name === 'string') return (name in exports ? exports[name] : members[name]) as object
  return name === null
    ? `a class as default export, or named ${classNameOf(key)}`
    : `a default export, because ${name.join(', ')} could each be the controller`
}

const kindsOf = (values: Record<string, unknown>): ReadonlyMap<string, ExportKind> =>
  new Map(Object.entries(values).map(([name, value]) => [name, kindOf(value)]))

function kindOf(value: unknown): ExportKind {
  if (typeof value === 'function') return isClass(value) ? 'class' : 'function'
  if (typeof value !== 'object' || value === null) return 'other'
  if (isAction(value)) return 'action'
  return hasActions(value) ? 'object' : 'other'
}

const isAction = (value: unknown): boolean =>
  typeof value === 'function' ||
  typeof (value as { handler?: unknown } | null | undefined)?.handler === 'function'

/**
 * A class's `prototype` property is read-only. An old constructor function has methods on its
 * prototype.
 */
function isClass(value: object): boolean {
  const prototype = Object.getOwnPropertyDescriptor(value, 'prototype')
  if (prototype === undefined) return false
  return prototype.writable === false || hasMethods(prototype.value as object)
}

/**
 * Whether an object has actions. A class isn't one, because `module.exports = { Users }` exports a
 * controller.
 */
const hasActions = (value: object): boolean =>
  Object.values(value).some(
    (member) => isAction(member) && !(typeof member === 'function' && isClass(member)),
  ) || hasMethods(Object.getPrototypeOf(value) as object | null)

/**
 * Whether a prototype has methods, or inherits some. Native methods, such as a Map's, don't count.
 */
function hasMethods(prototype: object | null): boolean {
  if (prototype === null || prototype === Object.prototype) return false
  const { constructor: _, ...members } = Object.getOwnPropertyDescriptors(prototype)
  const isMethod = ({ value, get }: PropertyDescriptor): boolean =>
    typeof (value ?? get) === 'function' && !/\{\s*\[native code\]\s*\}$/.test(String(value ?? get))
  return (
    Object.values(members).some(isMethod) ||
    hasMethods(Object.getPrototypeOf(prototype) as object | null)
  )
}

/** Arrow functions and async functions can't be called with `new`. */
function constructible(make: object): ControllerClass {
  if (Object.hasOwn(make, 'prototype')) return make as ControllerClass
  return function create(...args: unknown[]): unknown {
    return (make as (...args: unknown[]) => unknown)(...args)
  } as unknown as ControllerClass
}
