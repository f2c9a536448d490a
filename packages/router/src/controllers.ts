/// <reference types="node" />
/**
 * Loads controllers by convention. Only this entry uses Node built-ins.
 *
 * @module
 */
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Api, assertApi, routeTable } from './compile/api.ts'
import type { Row } from './compile/route.ts'
import { pluralActions } from './declare/actions.ts'
import { RouterError, invalidOption } from './errors.ts'

/** The controllers that `createRouter` requires. The actions are `never` because the compiler cannot see the files. */
export type LoadedControllers<Table> = {
  [V in keyof Table]: { [Key in keyof Table[V]]: { [Name in keyof Table[V][Key]]: never } }
}

/** A controller class, as its file exports it; or a function that returns the controller, which `new` calls. */
export type ControllerClass = new (...args: unknown[]) => object

/** Modules by path: loaded, or functions that load them. `import.meta.glob` of Vite returns both forms. */
export type ControllerModules = Readonly<Record<string, object | (() => Promise<object>)>>

/** The options of `loadControllers`. */
export interface LoadOptions {
  /**
   * Creates the controller from its class, or from the function that returns it. A promise is awaited.
   *
   * @default (Controller) => new Controller()
   */
  readonly create?: (Controller: ControllerClass) => object
  /**
   * Imports a controller file by its absolute path. Pass `(path) => import(path)` where a test runner transforms the
   * files: its `import` then applies, not that of Node.
   */
  readonly import?: (path: string) => Promise<object>
}

const extensions = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs']

/**
 * Loads the controllers of all versions: `api/v<n>/<resource>_controller.{ts,js,…}`, in subfolders for namespaces.
 * {@link controllerExport} says which export of a file is the controller.
 *
 * @param source - URL or path of the folder that contains `api/v<n>/`, or modules by path
 * @param options - {@link LoadOptions}, or `create` alone
 * @throws RouterError HV_MISSING_CONTROLLERS, which lists every missing file, class and method; HV_OPTION
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
  if (typeof source !== 'string' && (typeof source !== 'object' || source === null))
    throw invalidOption(
      'loadControllers()',
      'source',
      'the URL or path of a folder, or modules by path',
      source,
    )
  const folder = source instanceof URL ? fileURLToPath(source) : source
  const loaded: Record<number, Record<string, object>> = Object.fromEntries(
    api.settings.versions.map((version) => [version, {}]),
  )
  const missing: string[] = []
  const rowsOf = new Map<string, Row[]>() // by path: `api/v2/admin/users`
  for (const row of routeTable(api))
    rowsOf.set(row.controller, [...(rowsOf.get(row.controller) ?? []), row])

  for (const [path, rows] of rowsOf) {
    const { version, key } = rows[0]!
    const actions = [...new Set(rows.map(({ action }) => action))]
    const className = classNameOf(key)
    const found = await findFile(folder, `${path}_controller`, load)
    if (found === null) {
      missing.push(
        `${path}_controller.${extensions[0]}: a class ${className} with ${actions.join(', ')}`,
      )
      continue
    }
    const exported = controllerOf(await found.load(), key, version)
    if (typeof exported === 'string') {
      missing.push(`${found.file}: ${exported}`)
      continue
    }
    const made = typeof exported === 'function' ? await create(constructible(exported)) : exported
    const controller = (Object(made) === made ? made : {}) as Record<string, unknown>
    const lacking = actions.filter((action) => !isAction(controller[action]))
    if (lacking.length > 0)
      missing.push(`${found.file}: ${lacking.map((name) => `${className}#${name}`).join(', ')}`)
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

/** Finds the file of a controller: `api/v1/users_controller` with any of the extensions. */
async function findFile(
  source: string | ControllerModules,
  stem: string,
  load: (path: string) => Promise<object>,
): Promise<{ readonly file: string; readonly load: () => Promise<object> } | null> {
  const names = extensions.map((extension) => `${stem}.${extension}`)
  if (typeof source === 'string') {
    const files = await readdir(join(source, dirname(stem))).catch((): string[] => [])
    const name = names.find((one) => files.includes(basename(one)))
    return name === undefined
      ? null
      : { file: join(source, name), load: () => load(join(source, name)) }
  }
  const isNamed = (path: string): boolean =>
    names.some((name) => `/${path.replaceAll('\\', '/')}`.endsWith(`/${name}`))
  const file = Object.keys(source).find(isNamed)
  if (file === undefined) return null
  const found = source[file]!
  return {
    file,
    load: async () => (typeof found === 'function' ? (found as () => Promise<object>)() : found),
  }
}

/** `admin/line_items` → `LineItemsController`. */
const classNameOf = (key: string): string =>
  `${basename(key)
    .split(/[_-]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')}Controller`

/**
 * What an export is. `function` makes a controller where one is expected, and is an action elsewhere. `action` is an object
 * with a handler, `object` one with actions. `unknown`: its source does not show it.
 */
export type ExportKind = 'class' | 'function' | 'object' | 'action' | 'other' | 'unknown'

/**
 * Which export of a file is its controller: the default export; else `UsersController`, `usersController` or
 * `createUsersController`, also with the number of the version, or `createUsers` if it is the only function; else the only
 * export that is a class or has actions; else the module itself, if it exports actions.
 *
 * @param exports - what the file exports, by name
 * @param inDefault - the members of a default export that is an object: `module.exports` holds what CommonJS exports
 * @returns the name of the export, or `'*'` for the module itself; null if there is none; a list if several could be it
 */
export function controllerExport(
  exports: ReadonlyMap<string, ExportKind>,
  inDefault: ReadonlyMap<string, ExportKind>,
  key: string,
  version: number,
): string | readonly string[] | null {
  const isDefault = (exports.get('default') ?? 'other') !== 'other'
  if (isDefault && expectedIn(inDefault, key, version) === undefined) return 'default'
  const all = new Map([...inDefault, ...exports])
  all.delete('default')
  const expected = expectedIn(all, key, version)
  if (expected !== undefined) return expected
  if (
    pluralActions.some((name) =>
      ['function', 'action', 'unknown'].includes(all.get(name) ?? 'other'),
    )
  )
    return '*'
  const only = namesOf(all, 'class', 'object', 'unknown')
  if (only.length > 0) return only.length === 1 ? only[0]! : only
  return namesOf(all, 'function', 'action').length > 0 ? '*' : null
}

function expectedIn(
  all: ReadonlyMap<string, ExportKind>,
  key: string,
  version: number,
): string | undefined {
  const wanted = [classNameOf(key), `create${classNameOf(key)}`]
  if (namesOf(all, 'function', 'action').length === 1)
    wanted.push(wanted[1]!.replace(/Controller$/, ''))
  const number = new RegExp(`v${version}(?!\\d)`, 'i')
  const alike = (name: string): string => name.replace(number, '').toLowerCase()
  const names = namesOf(all, 'class', 'function', 'object', 'action', 'unknown')
  return wanted
    .flatMap((name) => [name, ...names.filter((one) => alike(one) === name.toLowerCase())])
    .find((name) => names.includes(name))
}

/** The exports of some kinds, sorted: a module has no other order. */
const namesOf = (
  all: ReadonlyMap<string, ExportKind>,
  ...kinds: readonly ExportKind[]
): readonly string[] =>
  [...all.keys()].filter((name) => name !== 'default' && kinds.includes(all.get(name)!)).toSorted()

/** The controller that a module exports, or its class or factory; else what the module lacks. */
function controllerOf(module: object, key: string, version: number): object | string {
  const outer = module as Record<string, unknown>
  // Compiled CommonJS holds its default export as a member of `module.exports`.
  const inner = outer['default'] as Record<string, unknown> | null | undefined
  const exports = typeof inner === 'object' && inner?.['__esModule'] === true ? inner : outer
  const main = exports['default']
  const members = typeof main === 'object' && main !== null ? (main as Record<string, unknown>) : {}
  const kindsOf = (values: Record<string, unknown>): ReadonlyMap<string, ExportKind> =>
    new Map(Object.entries(values).map(([name, value]) => [name, kindOf(value)]))
  const name = controllerExport(kindsOf(exports), kindsOf(members), key, version)
  if (name === '*') return { ...members, ...exports }
  if (typeof name === 'string') return (name in exports ? exports[name] : members[name]) as object
  const className = classNameOf(key)
  return name === null
    ? `a class as default export, or named ${className}`
    : `a default export, because ${name.join(', ')} could each be the controller`
}

function kindOf(value: unknown): ExportKind {
  if (typeof value === 'function') return isClass(value) ? 'class' : 'function'
  if (typeof value !== 'object' || value === null) return 'other'
  if (isAction(value)) return 'action'
  return hasActions(value) ? 'object' : 'other'
}

const isAction = (value: unknown): boolean =>
  typeof value === 'function' ||
  typeof (value as { handler?: unknown } | null | undefined)?.handler === 'function'

/** The prototype of a class cannot be replaced. Constructor functions have methods on theirs. */
const isClass = (value: object): boolean => {
  const prototype = Object.getOwnPropertyDescriptor(value, 'prototype')
  return (
    prototype !== undefined &&
    (prototype.writable === false || hasMethods(prototype.value as object))
  )
}

/** Classes are no actions: `module.exports = { Users }` only holds one. */
const hasActions = (value: object): boolean =>
  Object.values(value).some(
    (member) => isAction(member) && !(typeof member === 'function' && isClass(member)),
  ) || hasMethods(Object.getPrototypeOf(value) as object | null)

/** Whether a prototype, or one behind it, has methods. A Map and the like have those of JavaScript, which do not count. */
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

/** Arrow functions and async functions cannot be called with `new`. */
const constructible = (make: object): ControllerClass =>
  (Object.hasOwn(make, 'prototype')
    ? make
    : function create(...args: unknown[]): unknown {
        return (make as (...args: unknown[]) => unknown)(...args)
      }) as ControllerClass
