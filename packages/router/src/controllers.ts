/// <reference types="node" />
/**
 * Loads controllers by their files' names. Only this entry uses Node's built-in modules.
 *
 * @module
 */
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, posix } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isAnyObject } from './objects.ts'
import { type Api, assertApi, routeTable } from './compile/api.ts'
import type { Row } from './compile/route.ts'
import { classNameOf, controllerFile, controllerNames, extensions } from './controller-export.ts'
import { RouterError, assertObject, invalidOption } from './errors.ts'
import { listed } from './wording.ts'

export * from './controller-export.ts'

/**
 * The controllers that `createRouter` requires. TypeScript can't see the files, so each action's
 * type is `never`.
 */
export type LoadedControllers<Table> = {
  [V in keyof Table]: LoadedIn<Table[V]>
}
type LoadedIn<Keys> = { [Key in keyof Keys]: { [Name in keyof Keys[Key]]: never } }

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
 * Loads the controllers of all versions: `api/v<n>/<resource>_controller.{ts,js,…}`, in subfolders
 * for namespaces. The controller is the file's default export, or else its export named
 * `UsersController` or `usersController`. Otherwise, the file's exports are the actions.
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
    const expectedClass = `a class ${className} with ${actions.join(', ')}`
    if (file === undefined) {
      missing.push(`${path}_controller.${extensions[0]}: ${expectedClass}`)
      continue
    }
    const module = modules[file]!
    const exports =
      typeof module === 'function' ? await (module as () => Promise<object>)() : module
    const exported = controllerOf(exports, key)
    const created =
      typeof exported === 'function' ? await create(constructible(exported)) : exported
    const controller = (isAnyObject(created) ? created : {}) as Record<string, unknown>
    const missingActions = actions.filter((action) => !isAction(controller[action]))
    if (missingActions.length === actions.length && typeof exported !== 'function') {
      const found = listed(Object.keys(controller))
      missing.push(`${file}: ${expectedClass}, or a default export. Found: ${found}`)
    } else if (missingActions.length > 0) {
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
  import(/* webpackIgnore: true */ /* @vite-ignore */ pathToFileURL(path).href).catch(
    (error: NodeJS.ErrnoException) => {
      if (!/^ERR_UN(?:KNOWN_FILE|SUPPORTED_TYPESCRIPT)_/.test(error.code ?? '')) throw error
      const expected = `a function that loads your files, such as async (path) => require(path), because Node itself can't: ${error.message}`
      throw invalidOption('loadControllers()', 'import', expected, undefined)
    },
  ) as Promise<object>

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

/** Returns the controller that a module exports, or its class, or the function that creates it. */
function controllerOf(module: object, key: string): unknown {
  const outer = module as Record<string, unknown>
  const inner = outer['default'] as Record<string, unknown> | null | undefined
  // Node imports `module.exports` as default. If TypeScript compiled the file, the file's own
  // default export is in there.
  const exports = inner?.['__esModule'] === true ? inner : outer
  const main = (exports['default'] ?? exports) as Record<string, unknown>
  const name = controllerNames(key).find((usual) => Object.hasOwn(Object(main) as object, usual))
  return name === undefined ? main : main[name]
}

const isAction = (value: unknown): boolean =>
  typeof value === 'function' ||
  typeof (value as { handler?: unknown } | null | undefined)?.handler === 'function'

/** Arrow functions and async functions can't be called with `new`. */
function constructible(make: object): ControllerClass {
  if (Object.hasOwn(make, 'prototype')) return make as ControllerClass
  return function create(...args: unknown[]): unknown {
    return (make as (...args: unknown[]) => unknown)(...args)
  } as unknown as ControllerClass
}
