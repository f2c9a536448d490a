/// <reference types="node" />
// Controllers by convention: `@hv/router/controllers`. This entry alone reads the file system.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Api, routeTable } from './compile/api.ts'
import type { Row } from './compile/route.ts'
import { RouterError } from './errors.ts'

/** What `createRouter` takes: an action for every route. `never`, because the files are not known to the compiler. */
export type LoadedControllers<T> = {
  [V in keyof T]: { [R in keyof T[V]]: { [A in keyof T[V][R]]: never } }
}

/** A controller class as its file exports it. */
export type ControllerClass = new (...args: unknown[]) => object

const extensions = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs']

/**
 * Loads `<folder>/api/v<n>/<resource>_controller.{ts,js,…}` for every controller that the routes reach, in nested
 * folders for namespaces. A file exports its class as default, or by name: `UsersController`.
 *
 * @param folder URL or path of the folder that holds `api/v<n>/`
 * @param create makes the controller of a class; `new Controller()` unless told otherwise
 * @throws RouterError HV_MISSING_CONTROLLERS that lists every file, class and method that is missing
 * @example
 * const controllers = await loadControllers(routes, new URL('./controllers/', import.meta.url), (C) => new C(store))
 * app.register(createRouter(routes, controllers))
 */
export async function loadControllers<T>(
  api: Api<T>,
  folder: URL | string,
  create: (Controller: ControllerClass) => object = (Controller) => new Controller(),
): Promise<LoadedControllers<T>> {
  const root = folder instanceof URL ? fileURLToPath(folder) : folder
  const loaded: Record<number, Record<string, object>> = {}
  const missing: string[] = []
  for (const version of api.settings.versions) loaded[version] = {}

  for (const [path, rows] of groupByController(routeTable(api))) {
    const actions = [...new Set(rows.map(({ action }) => action))]
    const className = classNameOf(path)
    const file = await findFile(root, `${path}_controller`)
    if (file === null) {
      missing.push(`${path}_controller.${extensions[0]}: a class ${className} with ${actions.join(', ')}`)
      continue
    }
    const Controller = classIn((await import(pathToFileURL(file).href)) as Record<string, unknown>, className)
    if (Controller === undefined) {
      missing.push(`${file}: a class as default export, or by the name ${className}`)
      continue
    }
    const controller = create(Controller) as Record<string, unknown>
    const lacking = actions.filter((action) => !isAction(controller[action]))
    if (lacking.length > 0) missing.push(`${file}: ${lacking.map((action) => `${className}#${action}`).join(', ')}`)
    loaded[rows[0]!.version]![rows[0]!.key] = controller
  }
  if (missing.length > 0) throw new RouterError('HV_MISSING_CONTROLLERS', { folder: root, missing })
  return loaded as LoadedControllers<T>
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
  `${path
    .slice(path.lastIndexOf('/') + 1)
    .split(/[_-]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')}Controller`

async function findFile(root: string, stem: string): Promise<string | null> {
  const slash = stem.lastIndexOf('/')
  const folder = join(root, stem.slice(0, slash))
  const names = await readdir(folder).catch(() => [] as string[])
  const found = extensions
    .map((extension) => `${stem.slice(slash + 1)}.${extension}`)
    .find((name) => names.includes(name))
  return found === undefined ? null : join(folder, found)
}

/** The default export, else the one of the name; a CommonJS file's exports stand in its default. */
function classIn(exports: Record<string, unknown>, name: string): ControllerClass | undefined {
  const inner = exports['default'] as Record<string, unknown> | undefined
  const candidates = [inner, exports[name], inner?.['default'], inner?.[name]]
  return candidates.find((value): value is ControllerClass => typeof value === 'function')
}

const isAction = (value: unknown): boolean =>
  typeof value === 'function' || typeof (value as { handler?: unknown } | null | undefined)?.handler === 'function'
