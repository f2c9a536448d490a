import { type Action, actions, pluralActions, singularActions } from '../declare/actions.ts'
import { type Life, joinLives, lifeOptions, readLife } from '../declare/life.ts'
import type { Version } from '../declare/nodes.ts'
import {
  type ApiOptions,
  type Constraints,
  type ResourcesOptions,
  type Selection,
  type SharedOptions,
  isSelected,
} from '../declare/options.ts'
import { type Settings, joinPath } from '../declare/settings.ts'
import { RouterError } from '../errors.ts'
import {
  type ConstraintUses,
  checkConstraintUses,
  compileConstraints,
  findConstraint,
  useConstraints,
} from './constraint.ts'
import type { AnyNode, DeclaredNode, ExpandInherits } from './declared-node.ts'
import { withoutNames } from './except.ts'
import { createExpander } from './expand-inherits.ts'
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
interface Context {
  /** Where it ends in a slash, or empty: `admin/`. */
  readonly folder: string
  readonly here: Location
  /** `here` without the enclosing resources: shallow members start from it. */
  readonly root: Location
  /** Below the parameter of a resource. A `scope` does not change `root` there, as in Rails. */
  readonly isNested?: boolean
  readonly selection: Selection<Action>
  readonly shallow: boolean
  /** One of the enclosing resources is shallow. */
  readonly isInShallow?: boolean
  readonly patch: boolean
  /** Those of the enclosing nodes, the outermost first. */
  readonly constraints: readonly Constraints[]
  readonly uses: ConstraintUses
  readonly life: Life | null
}

/** A route before it is named. */
interface UnnamedRoute extends Pick<Route, 'method' | 'pattern' | 'key' | 'action' | 'declaredIn' | 'life'> {
  readonly constraints: readonly Constraints[]
  readonly names: readonly string[]
}

/** Compiles the versions into routes, in the order of the route file. */
export function compileRoutes(
  { prefix, namespace, versions: numbers }: Settings,
  options: SharedOptions & Pick<ApiOptions, 'patch'>,
  versions: readonly Version[],
): readonly VersionRoutes[] {
  const root: Location = { path: prefix, names: [namespace] }
  const apiContext = withOptions(
    {
      folder: '',
      here: root,
      root,
      selection: {},
      shallow: false,
      patch: false,
      constraints: [],
      uses: new Map(),
      life: null,
    },
    options,
  )
  const expand = createExpander()
  const takenNames = new Set<string>()
  /** By node: its routes in an earlier version. A version without options of its own shares them. */
  const compiled = new Map<DeclaredNode, readonly Route[]>()
  const compiledIn: Record<number, Set<DeclaredNode>> = {}

  let previous: readonly Route[] = Object.freeze([])
  const table = versions.map(({ name: version, options: own, nodes }) => {
    const context = withOptions(apiContext, own as SharedOptions)
    const mayShare = Object.keys(own as object).every((option) => sharedOptions.has(option))
    const seen = (compiledIn[version] ??= new Set())

    const routes = expand(nodes as AnyNode[], version).flatMap((declared) => {
      const shared = mayShare && !seen.has(declared) ? compiled.get(declared) : undefined
      const found = shared ?? routesOf(declared, context, expand).map((route) => nameRoute(route, version, takenNames))
      if (mayShare) compiled.set(declared, found)
      seen.add(declared)
      return found
    })
    const isSame = routes.length === previous.length && routes.every((route, i) => route === previous[i])
    if (!isSame) previous = Object.freeze(routes) // equal versions share one list
    return Object.freeze({ version, index: numbers.indexOf(version), routes: previous })
  })
  checkConstraintUses(apiContext.uses)
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

function routesOf([node, version]: DeclaredNode, context: Context, expand: ExpandInherits): readonly UnnamedRoute[] {
  if (node.kind === 'verb') return [verbRoute(node, version, context, { ...context.here, key: '', in: 'version' })]
  if (node.kind === 'resources' || node.kind === 'resource') return resourceRoutes(node, version, context, expand)
  const inner = innerContext(node, context)
  return withoutNames(expand(node.nodes, version), node.without).flatMap((one) => routesOf(one, inner, expand))
}

/** The routes of the nodes inside, then the resource's own, as Rails orders them. */
function resourceRoutes(
  node: AnyNode,
  version: number,
  context: Context,
  expand: ExpandInherits,
): readonly UnnamedRoute[] {
  const { selection, patch, ...own } = { ...withOptions(context, node.options), life: lifeOf(node, context) }
  const inner: Context = {
    ...own,
    isNested: false,
    isInShallow: context.isInShallow || own.shallow,
    // Nested resources do not inherit `only`, `except` and `patch` of this one.
    selection: context.selection,
    patch: context.patch,
  }
  const resource = layOut(node, inner)
  const children = withoutNames(
    node.nodes.map((child) => [child, version] as const),
    node.without,
  )
  const routes = routesInside(children, node, inner, expand).slice()

  for (const action of resource.isPlural ? pluralActions : singularActions) {
    if (!isSelected(action, selection) || node.without?.includes(`#${action}`)) continue
    const { method, on, path } = actions[action]
    const route = {
      pattern: joinPath(resource[on].path, path),
      key: context.folder + resource.controller,
      action,
      declaredIn: version,
      constraints: own.constraints,
      life: own.life,
    }
    const names = action === 'new' ? resource.newNames : action === 'edit' ? resource.editNames : resource[on].names
    routes.push({ method, ...route, names })
    if (action === 'update' && patch) routes.push({ method: 'PATCH', ...route, names: [] })
  }
  return routes
}

/**
 * The routes of the nodes inside a resource. A `scope` among them changes the context of the resource itself,
 * so its path comes before that of the resource, as in Rails.
 */
function routesInside(
  children: readonly DeclaredNode[],
  parent: AnyNode,
  context: Context,
  expand: ExpandInherits,
): readonly UnnamedRoute[] {
  const resource = layOut(parent, context)
  const key = context.folder + resource.controller
  const nested = nestedContext(resource, context)
  return children.flatMap(([child, version]): readonly UnnamedRoute[] => {
    const grandchildren = child.nodes.map((one) => [one, version] as const)
    switch (child.kind) {
      case 'scope':
        return routesInside(grandchildren, parent, innerContext(child, context), expand)
      case 'extra': {
        const at = { ...resource[child.name as 'member' | 'collection'], key, in: 'resource' } as const
        return child.nodes.map((verb) => verbRoute(verb, version, context, at))
      }
      case 'verb':
        return [
          resource.isPlural
            ? verbRoute(child, version, nested, { ...nested.here, key, in: 'member' })
            : verbRoute(child, version, context, { ...resource.member, key, in: 'resource' }),
        ]
      default:
        return routesOf([child, version], nested, expand)
    }
  })
}

/** The paths and name parts of a resource. */
interface ResourceLayout {
  readonly isPlural: boolean
  readonly controller: string
  readonly collection: Location
  readonly member: Location
  readonly newNames: readonly string[]
  readonly editNames: readonly string[]
  /** Where nested routes are declared: `/posts/:post_id`. */
  readonly nested: Location
  /** The member's parameter, and what nested routes call it: `id`, `post_id`. */
  readonly param: string
  readonly parentParam: string
}

function layOut({ kind, name, options }: AnyNode, context: Context): ResourceLayout {
  const isPlural = kind === 'resources'
  const { path = name, as = name, param = 'id', controller = isPlural ? name : pluralize(name) } = options
  const singular = isPlural ? (options.singular ?? singularize(as)) : as
  const plural = isPlural && singular === as ? `${as}_index` : as
  const { here, root } = context
  const base = isPlural && context.shallow ? root : here
  const nestedBase = isPlural && context.shallow && context.isInShallow ? root : here
  const parentParam = `${singular}_${param}`
  const memberPath = (from: Location, segment: string) => joinPath(from.path, path, isPlural ? `:${segment}` : '')
  return {
    isPlural,
    controller,
    collection: { path: joinPath(here.path, path), names: [...here.names, plural] },
    member: { path: memberPath(base, param), names: [...base.names, singular] },
    newNames: ['new', ...here.names, singular],
    editNames: ['edit', ...base.names, singular],
    nested: { path: memberPath(nestedBase, parentParam), names: [...nestedBase.names, singular] },
    param,
    parentParam,
  }
}

/** The context of nested nodes. Their `post_id` has the constraint of the parent's `id`. */
function nestedContext({ isPlural, param, parentParam, member, nested }: ResourceLayout, context: Context): Context {
  const pattern = isPlural ? findConstraint(context.constraints, param) : undefined
  const constraints = context.constraints.concat(pattern === undefined ? [] : { [parentParam]: pattern })
  // Whether `only` and `except` keep the routes to members does not matter.
  useConstraints(context.uses, constraints, `${member.path} ${nested.path}`)
  return { ...context, here: nested, isNested: true, constraints }
}

/** Where a verb stands. `member`: directly in `resources`. `resource`: in `member`, `collection` or `resource`. */
interface VerbLocation extends Location {
  readonly key: string
  readonly in: 'version' | 'member' | 'resource'
}

/** Rails gives these paths in `member` and `collection` the path of the resource itself. */
const isOwnPath = (path: string): boolean => path !== 'edit' && pluralActions.includes(path as Action)

/** The route of `get`, `post`, and so on. */
function verbRoute(node: AnyNode, declaredIn: number, context: Context, at: VerbLocation): UnnamedRoute {
  const { method, name: path, options } = node
  const { to, as } = options
  const target = /^(?:(\w+(?:\/\w+)*)#)?(\w+)$/.exec(to ?? path.replaceAll('-', '_'))
  const controller = target?.[1]
  if (!target || (controller === undefined && at.key === ''))
    throw new RouterError('HV_VERB_TARGET', to === undefined ? { method, path } : { method, path, to })
  const isOwn = at.in === 'resource' && isOwnPath(path)
  const part = namePart(as ?? (isOwn ? '' : path))
  const isUnnamed = at.in !== 'version' && path === '' && as === undefined
  const pattern = joinPath(at.path, isOwn ? '' : path)
  const { constraints } = withOptions(context, options)
  useConstraints(context.uses, constraints, pattern)
  return {
    method,
    pattern,
    key: controller === undefined ? at.key : context.folder + controller,
    action: target[2]!,
    declaredIn,
    constraints,
    life: lifeOf(node, context),
    names: isUnnamed ? [] : at.in === 'resource' ? [part, ...at.names] : [...at.names, part],
  }
}

// ---- contexts -----------------------------------------------------------------------------------

/** The context inside `namespace` or `scope`. A namespace takes path, name and folder from its name. */
function innerContext(node: AnyNode, context: Context): Context {
  const { kind, name, options } = node
  const fallback = kind === 'namespace' ? name : ''
  const { path = fallback, as = fallback, module = fallback } = options
  const inner = {
    ...context,
    life: lifeOf(node, context),
    folder: module === '' ? context.folder : `${context.folder}${module}/`,
    here: below(context.here, path, as),
    root: kind === 'scope' && context.isNested ? context.root : below(context.root, path, as),
  }
  return withOptions(inner, options)
}

const below = ({ path, names }: Location, segment: string, name: string): Location => ({
  path: joinPath(path, segment),
  names: [...names, name],
})

/** The life of a node: its own, that of the nodes around it, and that of the `inherit` which repeats it. */
function lifeOf(node: AnyNode, context: Context): Life | null {
  const where = `${node.kind === 'verb' ? 'route' : node.kind} '${node.name}'`
  return joinLives(joinLives(context.life, readLife(node.options, where), where), node.life ?? null, where)
}

/** The context inside a node. An inner `only` or `except` replaces the outer ones; constraints are added. */
const withOptions = (context: Context, options: SharedOptions & Pick<ResourcesOptions, 'patch'>): Context => ({
  ...context,
  selection: (options.only ?? options.except) ? options : context.selection,
  shallow: options.shallow ?? context.shallow,
  patch: options.patch ?? context.patch,
  constraints: context.constraints.concat(options.constraints ?? []),
})
