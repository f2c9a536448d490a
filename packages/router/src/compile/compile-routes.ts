import { type ActionName, actions, pluralActions, singularActions } from '../declare/actions.ts'
import { lifeOptions } from '../declare/life.ts'
import type { Version } from '../declare/nodes.ts'
import { type ApiOptions, type Constraints, type SharedOptions, isSelected } from '../declare/options.ts'
import { type Settings, joinPath } from '../declare/settings.ts'
import { RouterError } from '../errors.ts'
import { checkConstraintUses, compileConstraints, useConstraints } from './constraint.ts'
import { type Context, type Location, createContext, innerContext, lifeOf, withOptions } from './context.ts'
import type { AnyNode, DeclaredNode, ExpandInherits } from './declared-node.ts'
import { withoutNames } from './except.ts'
import { createExpander } from './expand-inherits.ts'
import { type ResourceLayout, layOut, nestedContext } from './resource-layout.ts'
import { namePart, routeName } from './route-name.ts'
import type { Route, VersionRoutes } from './route.ts'

/** The options of a version that do not change its routes. Versions with only these share the routes that they inherit. */
const neutralOptions: ReadonlySet<string> = new Set<string>([...lifeOptions, 'preview'])

/** A route before it is named. */
interface UnnamedRoute extends Pick<Route, 'method' | 'pattern' | 'key' | 'action' | 'declaredIn' | 'life'> {
  readonly constraints: readonly Constraints[]
  readonly names: readonly string[]
}

/** Compiles the versions into routes, in the order of the route file. */
export function compileRoutes(
  settings: Settings,
  options: SharedOptions & Pick<ApiOptions, 'patch'>,
  versions: readonly Version[],
): readonly VersionRoutes[] {
  const apiContext = createContext(settings, options)
  const expand = createExpander()
  const takenNames = new Set<string>()
  /** By node: its routes in an earlier version. A version without options of its own shares them. */
  const compiled = new Map<DeclaredNode, readonly Route[]>()
  const compiledIn: Record<number, Set<DeclaredNode>> = {}

  let previous: readonly Route[] = Object.freeze([])
  const table = versions.map(({ name: version, options: own, nodes }) => {
    const context = withOptions(apiContext, own as SharedOptions)
    const mayShare = Object.keys(own as object).every((option) => neutralOptions.has(option))
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
    return Object.freeze({ version, index: settings.versions.indexOf(version), routes: previous })
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
    const names = namesOf(resource, action, on)
    routes.push({ method, ...route, names })
    if (action === 'update' && patch) routes.push({ method: 'PATCH', ...route, names: [] })
  }
  return routes
}

function namesOf(resource: ResourceLayout, action: ActionName, on: 'collection' | 'member'): readonly string[] {
  if (action === 'new') return resource.newNames
  return action === 'edit' ? resource.editNames : resource[on].names
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

/** Where a verb is declared. `member`: directly in `resources`. `resource`: in `member`, `collection` or `resource`. */
interface VerbLocation extends Location {
  readonly key: string
  readonly in: 'version' | 'member' | 'resource'
}

/** Rails gives these paths in `member` and `collection` the path of the resource itself. */
const isOwnPath = (path: string): boolean => path !== 'edit' && pluralActions.includes(path as ActionName)

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
