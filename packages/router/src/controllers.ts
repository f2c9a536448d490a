/// <reference types="node" />
/**
 * Loads controllers by convention. Only this entry uses Node built-ins.
 *
 * @module
 */
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Api, checked, routeTable } from './compile/api.ts'
import type { Row } from './compile/route.ts'
import { RouterError, failOption } from './errors.ts'

/** The controllers that `createRouter` requires. The actions are `never` because the compiler cannot see the files. */
export type LoadedControllers<Table> = {
  [V in keyof Table]: { [Key in keyof Table[V]]: { [Name in keyof Table[V][Key]]: never } }
}

/** A controller class, as its file exports it. */
export type ControllerClass = new (...args: unknown[]) => object

/** Modules by path: loaded, or functions that load them. `import.meta.glob` of Vite returns both forms. */
export type ControllerModules = Readonly<Record<string, object | (() => Promise<object>)>>

/** The options of `loadControllers`. */
export interface LoadOptions {
  /**
   * Creates the controller from its class.
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
 * A file exports its class, or an object of actions, as default or by name: `UsersController`.
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
  checked(api, 'loadControllers()')
  if (typeof source !== 'string' && (typeof source !== 'object' || source === null))
    failOption('loadControllers()', 'source', 'the URL or path of a folder, or modules by path', source)
  const find = createFinder(source, load)
  const loaded: Record<number, Record<string, object>> = Object.fromEntries(
    api.settings.versions.map((version) => [version, {}]),
  )
  const missing: string[] = []

  for (const [path, rows] of groupByController(routeTable(api))) {
    const actions = [...new Set(rows.map(({ action }) => action))]
    const className = classNameOf(path)
    const found = await find(`${path}_controller`)
    if (found === null) {
      missing.push(`${path}_controller.${extensions[0]}: a class ${className} with ${actions.join(', ')}`)
      continue
    }
    const exported = exportOf((await found.load()) as Record<string, unknown>, className)
    if (exported === undefined) {
      missing.push(`${found.file}: a class as default export, or named ${className}`)
      continue
    }
    const controller = (isClass(exported) ? create(exported) : exported) as Record<string, unknown>
    const lacking = actions.filter((action) => !isAction(controller[action]))
    if (lacking.length > 0) missing.push(`${found.file}: ${lacking.map((name) => `${className}#${name}`).join(', ')}`)
    loaded[rows[0]!.version]![rows[0]!.key] = controller
  }
  if (missing.length > 0) throw new RouterError('HV_MISSING_CONTROLLERS', { folder: describe(source), missing })
  return loaded as LoadedControllers<T>
}

/** The comments make bundlers leave this import to Node, without a warning. */
const importFile = (path: string): Promise<object> =>
  import(/* webpackIgnore: true */ /* @vite-ignore */ pathToFileURL(path).href) as Promise<object>

function describe(source: URL | string | ControllerModules): string {
  if (source instanceof URL) return fileURLToPath(source)
  return typeof source === 'string' ? source : 'the modules'
}

/** Finds the file of a controller: `api/v1/users_controller` with any of the extensions. */
type Finder = (stem: string) => Promise<{ readonly file: string; readonly load: () => Promise<object> } | null>

function createFinder(source: URL | string | ControllerModules, load: (path: string) => Promise<object>): Finder {
  if (typeof source === 'object' && !(source instanceof URL)) return createModuleFinder(source)
  const root = source instanceof URL ? fileURLToPath(source) : source
  return async (stem) => {
    const files = await readdir(join(root, dirname(stem))).catch((): string[] => [])
    const name = extensions.map((extension) => `${stem}.${extension}`).find((one) => files.includes(fileOf(one)))
    return name === undefined ? null : { file: join(root, name), load: () => load(join(root, name)) }
  }
}

const fileOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

function createModuleFinder(modules: ControllerModules): Finder {
  const files = new Map(Object.keys(modules).map((file) => [`/${file.replaceAll('\\', '/')}`, file]))
  return (stem) => {
    const endings = extensions.map((extension) => `/${stem}.${extension}`)
    const path = [...files.keys()].find((one) => endings.some((ending) => one.endsWith(ending)))
    if (path === undefined) return Promise.resolve(null)
    const file = files.get(path)!
    const found = modules[file]!
    return Promise.resolve({
      file,
      load: () => (typeof found === 'function' ? (found as () => Promise<object>)() : Promise.resolve(found)),
    })
  }
}

/** `api/v2/admin/users` → its rows. */
function groupByController(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.controller) ?? []
    groups.set(row.controller, group)
    group.push(row)
  }
  return groups
}

/** `api/v1/line_items` → `LineItemsController`. */
const classNameOf = (path: string): string =>
  `${fileOf(path)
    .split(/[_-]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')}Controller`

/** The default export, else the export with the class name. `default` of a CommonJS file contains its exports. */
function exportOf(exports: Record<string, unknown>, className: string): ControllerClass | object | undefined {
  const inner = exports['default'] as Record<string, unknown> | undefined
  const candidates = [inner, exports[className], inner?.['default'], inner?.[className]]
  const isController = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && Object.values(value).some(isAction)
  return candidates.find(isClass) ?? candidates.find(isController)
}

const isClass = (value: unknown): value is ControllerClass => typeof value === 'function'

const isAction = (value: unknown): boolean =>
  typeof value === 'function' || typeof (value as { handler?: unknown } | null | undefined)?.handler === 'function'
