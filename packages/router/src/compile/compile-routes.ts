import { type Action, actions, pluralActions, singularActions } from '../declare/actions.ts'
import { type Life, joinLives, lifeOptions, readLife } from '../declare/life.ts'
import type { Version } from '../declare/nodes.ts'
import {
  type ApiOptions,
  type Constraints,
  type ResourcesOptions,
  type ScopeOptions,
  type Selection,
  isSelected,
} from '../declare/options.ts'
import { type Settings, joinPath } from '../declare/settings.ts'
import { RouterError } from '../errors.ts'
import { compileConstraints } from './constraint.ts'
import { type AnyNode, type DeclaredNode, type ExpandInherits, createExpander } from './expand-inherits.ts'
import { pluralize, singularize } from './inflect.ts'
import { namePart, routeName } from './route-name.ts'
import type { Route, VersionRoutes } from './route.ts'

/** The options of a version that do not change its routes. Versions with only these share the routes that they inherit. */
const sharedOptions: ReadonlySet<string> = new Set<string>([...lifeOptions, 'preview'])

/** A path, and the parts of the route names below it. */
interface Location {
  readonly path: string
  readonly names: readonly string[]
}

/** What encloses a node. */
interface Scope {
  readonly folder: string
  readonly here: Location
  /** `here` without the enclosing resources: shallow members start from it. */
  readonly root: Location
  readonly selection: Selection<Action>
  readonly shallow: boolean
  readonly patch: boolean
  readonly constraints: Constraints
  readonly life: Life | null
}

/** A route before it is named. */
interface UnnamedRoute extends Pick<Route, 'method' | 'pattern' | 'key' | 'action' | 'declaredIn' | 'life'> {
  readonly constraints: Constraints
  readonly names: readonly string[]
}

/** Compiles the versions into routes, in the order of the route file. */
export function compileRoutes(
  { prefix, namespace, versions: numbers }: Settings,
  options: ApiOptions,
  versions: readonly Version[],
): readonly VersionRoutes[] {
  const root: Location = { path: prefix, names: [namespace] }
  const apiScope = withOptions(
    { folder: '', here: root, root, selection: {}, shallow: false, patch: false, constraints: {}, life: null },
    options,
  )
  const expand = createExpander()
  const takenNames = new Set<string>()
  /** By node: its routes in an earlier version. A version without options of its own shares them. */
  const compiled = new Map<DeclaredNode, readonly Route[]>()
  const compiledIn = new Map<number, Set<DeclaredNode>>()

  let previous: readonly Route[] = []
  const table = versions.map(({ name: version, options: own, nodes }) => {
    const scope = withOptions(apiScope, own as ScopeOptions)
    const mayShare = Object.keys(own as object).every((option) => sharedOptions.has(option))
    const seen = compiledIn.get(version) ?? new Set()
    compiledIn.set(version, seen)

    const routes = expand(nodes as AnyNode[], version).flatMap((declared) => {
      const shared = mayShare && !seen.has(declared) ? compiled.get(declared) : undefined
      const found =
        shared ?? Array.from(routesOf(declared, scope, expand), (route) => nameRoute(route, version, takenNames))
      if (mayShare) compiled.set(declared, found)
      seen.add(declared)
      return found
    })
    const isSame = routes.length === previous.length && routes.every((route, i) => route === previous[i])
    if (!isSame) previous = Object.freeze(routes) // equal versions share one list
    return Object.freeze({ version, index: numbers.indexOf(version), routes: previous })
  })
  return Object.freeze(table)
}

/** A route gets its name unless an earlier route has it. */
function nameRoute({ names, constraints, ...route }: UnnamedRoute, version: number, taken: Set<string>): Route {
  const candidate = routeName(names)
  const name = candidate !== null && !taken.has(candidate) ? candidate : null
  if (name !== null) taken.add(name)
  return Object.freeze({
    ...route,
    name,
    namedIn: version,
    constraints: compileConstraints(constraints, route.pattern),
  })
}

// ---- the routes of one node ---------------------------------------------------------------------

function* routesOf(declared: DeclaredNode, outer: Scope, expand: ExpandInherits): Generator<UnnamedRoute> {
  const [node, version] = declared
  const life = lifeOf(declared, outer)
  const scope = life === outer.life ? outer : { ...outer, life }
  if (node.kind === 'verb')
    yield verbRoute(node, version, scope, { key: '', path: scope.here.path, names: scope.here.names, isExtra: false })
  else if (node.kind === 'namespace') yield* nestedRoutes(node.nodes, version, namespaceScope(node, scope), expand)
  else yield* resourceRoutes(node, version, scope, expand)
}

function* nestedRoutes(
  nodes: readonly AnyNode[],
  version: number,
  scope: Scope,
  expand: ExpandInherits,
): Generator<UnnamedRoute> {
  for (const declared of expand(nodes, version)) yield* routesOf(declared, scope, expand)
}

function namespaceScope({ name, options }: AnyNode, scope: Scope): Scope {
  const { path = name, as = name } = options
  const inner = { ...scope, folder: `${scope.folder}${name}/`, here: below(scope.here, path, as) }
  return withOptions({ ...inner, root: below(scope.root, path, as) }, options)
}

/** The routes of nested nodes, then those of `member` and `collection`, then the resource's own, as Rails orders them. */
function* resourceRoutes(
  node: AnyNode,
  version: number,
  scope: Scope,
  expand: ExpandInherits,
): Generator<UnnamedRoute> {
  const resource = layOut(node, scope)
  const { constraints, patch, selection } = withOptions(scope, node.options)

  for (const child of node.nodes) {
    if (child.kind !== 'extra') {
      yield* nestedRoutes([child], version, nestedScope(node, resource, scope), expand)
      continue
    }
    const on = child.name as 'member' | 'collection'
    const { path, names } = resource[on]
    for (const verb of child.nodes)
      yield verbRoute(
        verb,
        version,
        { ...scope, constraints, life: lifeOf([verb, version, null], scope) },
        { key: resource.controller, path, names, isExtra: true },
      )
  }

  for (const action of resource.isPlural ? pluralActions : singularActions) {
    if (!isSelected(action, selection)) continue
    const { method, on, path } = actions[action]
    const route = {
      pattern: joinPath(resource[on].path, path),
      key: scope.folder + resource.controller,
      action,
      declaredIn: version,
      constraints,
      life: scope.life,
    }
    const names = action === 'new' ? resource.newNames : action === 'edit' ? resource.editNames : resource[on].names
    yield { method, ...route, names }
    if (action === 'update' && patch) yield { method: 'PATCH', ...route, names: [] }
  }
}

/** The paths and name parts of a resource. */
interface ResourceLayout {
  readonly isPlural: boolean
  readonly controller: string
  readonly collection: Location
  readonly member: Location
  readonly newNames: readonly string[]
  readonly editNames: readonly string[]
  /** Path below which nested routes are declared: `/posts/:post_id`. */
  readonly parentPath: string
  /** The member's parameter in nested routes: `post_id`. */
  readonly parentParam: string
}

function layOut({ kind, name, options }: AnyNode, scope: Scope): ResourceLayout {
  const isPlural = kind === 'resources'
  const { path = name, as = name, param = 'id', controller = isPlural ? name : pluralize(name) } = options
  const shallow = options.shallow ?? scope.shallow
  const singular = isPlural ? (options.singular ?? singularize(as)) : as
  const plural = isPlural && singular === as ? `${as}_index` : as
  const base = isPlural && shallow ? scope.root : scope.here
  const collectionPath = joinPath(scope.here.path, path)
  const parentParam = `${singular}_${param}`
  return {
    isPlural,
    controller,
    collection: { path: collectionPath, names: [...scope.here.names, plural] },
    member: {
      path: isPlural ? joinPath(base.path, path, `:${param}`) : collectionPath,
      names: [...base.names, singular],
    },
    newNames: ['new', ...scope.here.names, singular],
    editNames: ['edit', ...base.names, singular],
    parentPath: isPlural ? joinPath(base.path, path, `:${parentParam}`) : collectionPath,
    parentParam,
  }
}

/** The scope of nested nodes. Their `post_id` has the constraint of the parent's `id`. */
function nestedScope({ name, options }: AnyNode, resource: ResourceLayout, scope: Scope): Scope {
  const { isPlural, parentParam, parentPath, member } = resource
  if (isPlural && !/^\w+$/.test(parentParam)) {
    const singular = (options.singular ?? singularize(options.as ?? name)).replace(/\W/g, '_')
    throw new RouterError('HV_PATH', { where: `resources '${name}'`, param: parentParam, singular })
  }
  const own = options.constraints?.[options.param ?? 'id']
  return {
    ...scope,
    here: { path: parentPath, names: member.names },
    shallow: options.shallow ?? scope.shallow,
    constraints: { ...scope.constraints, ...options.constraints, ...(own !== undefined && { [parentParam]: own }) },
  }
}

/** The route of `get`, `post`, and so on. In a resource (`isExtra`) its name comes before the names of the resource. */
function verbRoute(
  { method, name: path, options }: AnyNode,
  declaredIn: number,
  scope: Scope,
  at: Location & { readonly key: string; readonly isExtra: boolean },
): UnnamedRoute {
  const to = options.to ?? path
  const [key, action] = to.includes('#') ? (to.split('#') as [string, string]) : [at.key, to]
  if (!key || !/^\w+$/.test(action)) throw new RouterError('HV_VERB_TARGET', { method, path })
  const own = namePart(options.as ?? path)
  return {
    method,
    pattern: joinPath(at.path, path),
    key: scope.folder + key,
    action,
    declaredIn,
    constraints: { ...scope.constraints, ...options.constraints },
    life: scope.life,
    names: at.isExtra ? [own, ...at.names] : [...at.names, own],
  }
}

// ---- scopes -------------------------------------------------------------------------------------

const below = ({ path, names }: Location, segment: string, name: string): Location => ({
  path: joinPath(path, segment),
  names: [...names, name],
})

/** The life of a node: its own, that of the nodes around it, and that of the `inherit` which repeats it. */
function lifeOf([node, , inherited]: DeclaredNode, { life }: Scope): Life | null {
  const where = `${node.kind === 'verb' ? 'route' : node.kind} '${node.name}'`
  return joinLives(joinLives(life, readLife(node.options, where), where), inherited, where)
}

/** The scope inside a node. An inner `only` or `except` replaces the outer ones; constraints are merged. */
const withOptions = (scope: Scope, options: ScopeOptions & Pick<ResourcesOptions, 'patch'>): Scope => ({
  ...scope,
  selection: (options.only ?? options.except) ? options : scope.selection,
  shallow: options.shallow ?? scope.shallow,
  patch: options.patch ?? scope.patch,
  constraints: options.constraints === undefined ? scope.constraints : { ...scope.constraints, ...options.constraints },
})
