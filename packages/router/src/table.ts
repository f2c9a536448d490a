import { type Action, actions, pluralActions, singularActions } from './actions.ts'
import type { ApiOptions } from './api.ts'
import { type Constraints, createParamTest } from './constraints.ts'
import type { ResourcesOptions, Selection, Version } from './dsl.ts'
import { RouterError } from './errors.ts'
import { pluralize, routeName, singularize } from './names.ts'
import { type AnyNode, type Declared, type Open, createOpener, isSelected } from './open-caches.ts'

/** One route of one version. */
export interface Row {
  readonly version: number
  readonly method: string
  /** `/api/users/:id(.:format)` */
  readonly path: string
  /** `api/v1/users` */
  readonly controller: string
  readonly action: string
  /** `api_user`: the first row that could have a name has it, so later versions add none. */
  readonly name: string | null
  /** The version that declared this route, when it is not this one. */
  readonly inheritedFrom: number | null
}

/** One declared route. All versions that have it share it; a row of its own it gets when somebody asks for it. */
export interface Route {
  readonly method: string
  /** `/api/users/:id` */
  readonly path: string
  /** The controller inside its version: `users`, `admin/users`. */
  readonly controller: string
  readonly action: string
  /** The version that declared it. */
  readonly from: number
  readonly name: string | null
  /** The only version where it bears its name. */
  readonly namedIn: number
  readonly constraints: Constraints
  /** By index of the version: those that were asked for. */
  readonly rows: Row[]
}

/** The routes of one `version(…)` of the file. */
export interface VersionRoutes {
  readonly version: number
  /** The place of the version among all, lowest first. */
  readonly index: number
  readonly routes: readonly Route[]
}

/** A path, and the words of the names below it. */
interface Place {
  readonly path: string
  readonly words: readonly string[]
}

/** What surrounds a node. A shallow member starts from `root`: its parents are left out. */
interface Scope {
  readonly folder: string
  readonly here: Place
  readonly root: Place
  readonly selection: Selection<Action>
  readonly shallow: boolean
  readonly patch: boolean
  readonly constraints: Constraints
}

/** Turns the declaration into routes, in the order of the file. */
export function compileTable(options: ApiOptions, versions: readonly Version[]): readonly VersionRoutes[] {
  const { namespace = 'api', path = namespace, patch = false } = options
  const root = at({ path: '', words: [] }, path, namespace)
  const outer: Scope = { folder: '', here: root, root, selection: {}, shallow: false, patch, constraints: {} }
  const open = createOpener()
  const names = new Set<string>()
  const numbers = numbersOf(versions)
  /** What a node became in an earlier version: a version without options of its own takes it over as it is. */
  const known = new Map<Declared, readonly Route[]>()
  const inVersion = new Map<number, Set<Declared>>()

  let last: readonly Route[] = []
  return versions.map(({ name: version, options: own, nodes }) => {
    const scope = within(within(outer, options), own as ResourcesOptions)
    const plain = Object.keys(own as object).length === 0
    const met = inVersion.get(version) ?? new Set()
    inVersion.set(version, met)
    const routes = open(nodes as AnyNode[], version).flatMap((declared) => {
      const shared = plain && !met.has(declared) ? known.get(declared) : undefined
      const found = shared ?? [...routesOf(declared, scope, open)].map((draft) => routeOf(draft, version, names))
      if (plain) known.set(declared, found)
      met.add(declared)
      return found
    })
    const isSame = routes.length === last.length && routes.every((route, i) => route === last[i])
    if (!isSame) last = routes // equal versions share their list
    return { version, index: numbers.indexOf(version), routes: last }
  })
}

function routeOf(draft: Draft, version: number, names: Set<string>): Route {
  const { method, path, controller, action, from } = draft
  const candidate = routeName(draft.words)
  const name = candidate !== null && !names.has(candidate) ? candidate : null
  if (name !== null) names.add(name)
  const own = Object.entries(draft.constraints).filter(([param]) => path.split('/').includes(`:${param}`))
  for (const [param, pattern] of own) createParamTest(param, pattern, path) // refuses a dangerous one here
  const constraints = own.length === 0 ? none : Object.fromEntries(own)
  return { method, path, controller, action, from, name, namedIn: version, constraints, rows: [] }
}
const none: Constraints = Object.freeze({})

/** A route as it stands in a version: always the same frozen object. */
export const rowOf = (options: ApiOptions, route: Route, version: number, index: number): Row =>
  (route.rows[index] ??= Object.freeze({
    version,
    method: route.method,
    path: `${route.path || '/'}(.:format)`,
    controller: controllerFolder(options, version) + route.controller,
    action: route.action,
    name: route.namedIn === version ? route.name : null,
    inheritedFrom: route.from === version ? null : route.from,
  }))

/** The declared version numbers, lowest first. */
export const numbersOf = (versions: readonly Version[]): readonly number[] =>
  [...new Set(versions.map(({ name }) => name))].toSorted((a, b) => a - b)

/** `api/v1/`: what stands before a version's controller paths. */
const controllerFolder = ({ namespace = 'api' }: ApiOptions, version: number): string =>
  `${namespace && `${namespace}/`}v${version}/`

/** A row's controller inside its version: `users`, `admin/users`. */
export const controllerKey = ({ options }: { options: ApiOptions }, row: Row): string =>
  row.controller.slice(controllerFolder(options, row.version).length)

// ---- the routes of one node ----------------------------------------------------------------

/** A route that is yet to be named. */
interface Draft extends Pick<Route, 'method' | 'path' | 'controller' | 'action' | 'from' | 'constraints'> {
  readonly words: readonly string[]
}

function* routesOf([node, from]: Declared, scope: Scope, open: Open): Generator<Draft> {
  if (node.kind === 'verb') {
    const words = [...scope.here.words, word(node.options.as ?? node.name)]
    yield { ...verbRoute(node, scope, '', scope.here.path), words, from }
  } else if (node.kind === 'namespace') {
    const { path = node.name, as = node.name } = node.options
    const inner = within(
      {
        ...scope,
        folder: `${scope.folder}${node.name}/`,
        here: at(scope.here, path, as),
        root: at(scope.root, path, as),
      },
      node.options,
    )
    yield* nested(node.nodes, from, inner, open)
  } else yield* resourceRoutes([node, from], scope, open)
}

function* nested(nodes: readonly AnyNode[], from: number, scope: Scope, open: Open): Generator<Draft> {
  for (const declared of open(nodes, from)) yield* routesOf(declared, scope, open)
}

/** Nested and extra rows come before their parent's own, as in Rails. */
function* resourceRoutes([{ kind, name, options, nodes }, from]: Declared, scope: Scope, open: Open): Generator<Draft> {
  const isPlural = kind === 'resources'
  const { path = name, as = name, param = 'id', controller = isPlural ? name : pluralize(name) } = options
  const { selection, shallow, patch, constraints } = within(scope, options)
  const one = isPlural ? (options.singular ?? singularize(as)) : as
  const all = isPlural && one === as ? `${as}_index` : as
  const base = isPlural && shallow ? scope.root : scope.here
  const collection = join(scope.here.path, path)
  const member = isPlural ? join(base.path, path, `:${param}`) : collection
  const parent = isPlural ? join(base.path, path, `:${one}_${param}`) : collection
  const words = {
    collection: [...scope.here.words, all],
    new: ['new', ...scope.here.words, one],
    edit: ['edit', ...base.words, one],
    member: [...base.words, one],
  }

  // Where a nested route calls the param post_id, the constraint of id holds for it, too.
  const own = options.constraints?.[param]
  const nestedConstraints = { ...constraints, ...(own !== undefined && { [`${one}_${param}`]: own }) }

  for (const child of nodes) {
    if (child.kind !== 'extra') {
      if (isPlural && !/^\w+$/.test(one))
        throw new RouterError(
          'HV_PATH',
          `resources '${name}' nests others, but ':${one}_${param}' is no name of a param. ` +
            `Give it a singular that is a word: { singular: '${one.replace(/\W/g, '_')}' }.`,
          { resource: name },
        )
      yield* nested(
        [child],
        from,
        { ...scope, shallow, constraints: nestedConstraints, here: { path: parent, words: words.member } },
        open,
      )
      continue
    }
    const on = child.name as 'member' | 'collection'
    for (const verb of child.nodes)
      yield {
        ...verbRoute(verb, { ...scope, constraints }, controller, on === 'member' ? member : collection),
        words: [word(verb.options.as ?? verb.name), ...words[on]],
        from,
      }
  }
  for (const action of isPlural ? pluralActions : singularActions) {
    if (!isSelected(action, selection)) continue
    const { method, on, path } = actions[action]
    const found = {
      path: join(on === 'member' ? member : collection, path),
      controller: scope.folder + controller,
      action,
      from,
      constraints,
    }
    yield { method, ...found, words: words[action as 'new' | 'edit'] ?? words[on] }
    if (action === 'update' && patch) yield { method: 'PATCH', ...found, words: [] }
  }
}

function verbRoute(
  { method, name, options }: AnyNode,
  scope: Scope,
  here: string,
  path: string,
): Omit<Draft, 'words' | 'from'> {
  const to = options.to ?? name
  const [controller, action] = to.includes('#') ? (to.split('#') as [string, string]) : [here, to]
  if (!controller || !/^\w+$/.test(action))
    throw new RouterError(
      'HV_VERB_TARGET',
      `${method} '${name}' does not say what it calls. Add e.g. { to: 'health#show' }.`,
      { method, path: name },
    )
  const constraints = { ...scope.constraints, ...options.constraints }
  return { method, path: join(path, name), controller: scope.folder + controller, action, constraints }
}

// ---- places -----------------------------------------------------------------------------------

const join = (...parts: readonly string[]): string =>
  parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .map((part) => `/${part}`)
    .join('')
const at = (place: Place, path: string, as: string): Place => ({
  path: join(place.path, path),
  words: [...place.words, as],
})
const word = (path: string): string => path.replace(/^\/+|\/+$/g, '').replace(/[/-]/g, '_')

/** The nearest scope that says `only` or `except` decides; the others say nothing then. */
const within = (
  scope: Scope,
  options: Selection<Action> & { shallow?: boolean; patch?: boolean; constraints?: Constraints },
): Scope => ({
  ...scope,
  selection: (options.only ?? options.except) ? options : scope.selection,
  shallow: options.shallow ?? scope.shallow,
  patch: options.patch ?? scope.patch,
  constraints: options.constraints === undefined ? scope.constraints : { ...scope.constraints, ...options.constraints },
})
