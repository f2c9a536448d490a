import { type ActionName, actions, pluralActions, singularActions } from '../declare/actions.ts'
import type { Version } from '../declare/nodes.ts'
import { type ApiOptions, isSelected } from '../declare/options.ts'
import { type Settings, joinPath, paramsOf, shapeOf } from '../declare/settings.ts'
import { RouterError } from '../errors.ts'
import { type ConstraintSource, assertConstraintsApply, compileConstraints } from './constraint.ts'
import {
  type Enclosing,
  type Location,
  insideApi,
  insideBlock,
  insideResource,
  layOut,
  withNode,
} from './enclosing.ts'
import type { DeclaredNode } from './declared-node.ts'
import { createExpander } from './expand-inherits.ts'
import type { Route, VersionRoutes } from './route.ts'

interface UnnamedRoute extends Pick<
  Route,
  'method' | 'pattern' | 'key' | 'action' | 'declaredIn' | 'lives'
> {
  readonly constraints: readonly ConstraintSource[]
  readonly names: readonly string[]
}

/**
 * A node's routes, and the versions that have them. All versions can share them, because an
 * `inherit` repeats the same objects: 400 resources in 30 versions are 2,800 routes, not 84,000. If
 * a version has a node twice, the node is compiled again, because only its first routes have names.
 */
interface CompiledNode {
  readonly routes: readonly Route[]
  readonly versions: Set<number>
}

/** Compiles the versions into routes, in the order of the route file. */
export function compileRoutes(
  settings: Settings,
  options: ApiOptions,
  versions: readonly Version[],
): readonly VersionRoutes[] {
  const inApi = insideApi(settings, options)
  const expandVersion = createExpander()
  const takenNames = new Set<string>()
  const compiled = new Map<DeclaredNode, CompiledNode>()

  const table = versions.map((declared) => {
    const version = declared.name
    const routes = expandVersion(declared).flatMap((node) => {
      const earlier = compiled.get(node)
      if (earlier !== undefined && !earlier.versions.has(version)) {
        earlier.versions.add(version)
        return earlier.routes
      }
      const named = routesOf(node, inApi).map((route) => nameRoute(route, version, takenNames))
      compiled.set(node, { routes: named, versions: new Set([version]) })
      return named
    })
    return Object.freeze({
      version,
      index: settings.versions.indexOf(version),
      routes: Object.freeze(routes),
    })
  })
  assertConstraintsApply(inApi.sources.values())
  return Object.freeze(table)
}

/** Completes a route. It gets its name unless an earlier route has taken it. */
function nameRoute(
  { names, constraints, ...route }: UnnamedRoute,
  version: number,
  taken: Set<string>,
): Route {
  const candidate = routeName(names)
  const name = candidate !== null && !taken.has(candidate) ? candidate : null
  if (name !== null) taken.add(name)
  return Object.freeze({
    ...route,
    name,
    namedIn: version,
    shape: shapeOf(route.pattern || '/'),
    params: Object.freeze(paramsOf(route.pattern)),
    constraints: compileConstraints(constraints, route.pattern),
  })
}

// ---- the routes of one node ---------------------------------------------------------------------

function routesOf(node: DeclaredNode, enclosing: Enclosing): readonly UnnamedRoute[] {
  if (node.kind === 'verb')
    return [verbRoute(node, enclosing, { ...enclosing.here, key: '', relation: 'none' })]
  if (node.kind === 'resources' || node.kind === 'resource') return resourceRoutes(node, enclosing)
  const inner = insideBlock(node, enclosing)
  return node.nodes.flatMap((child) => routesOf(child, inner))
}

/** Lists the routes of the nodes inside, then those of the resource itself, as Rails does. */
function resourceRoutes(node: DeclaredNode, enclosing: Enclosing): readonly UnnamedRoute[] {
  const { selection, shallow, patch, constraints, lives } = withNode(enclosing, node)
  // Nested resources don't inherit this resource's `only`, `except` and `patch`.
  const inner: Enclosing = {
    ...enclosing,
    shallow,
    constraints,
    lives,
    isNested: false,
    isInShallow: enclosing.isInShallow || shallow,
  }
  const resource = layOut(node, inner)
  const routes = routesInside(node.nodes, node, inner).slice()

  for (const action of resource.isPlural ? pluralActions : singularActions) {
    if (!isSelected(action, selection) || node.without.includes(`#${action}`)) continue
    const { method, on, path } = actions[action]
    const route = {
      pattern: joinPath(resource[on].path, path),
      key: enclosing.folder + resource.controller,
      action,
      declaredIn: node.version,
      constraints,
      lives,
    }
    const names = path === '' ? resource[on].names : [path, ...resource.singularNames[on]]
    routes.push({ method, ...route, names })
    if (action === 'update' && patch) routes.push({ method: 'PATCH', ...route, names: [] })
  }
  return routes
}

/**
 * Lists the routes of the nodes inside a resource. As in Rails, a `scope` in a resource changes
 * what encloses the resource itself, so its path comes before the resource's.
 */
function routesInside(
  children: readonly DeclaredNode[],
  parent: DeclaredNode,
  enclosing: Enclosing,
): readonly UnnamedRoute[] {
  const resource = layOut(parent, enclosing)
  const key = enclosing.folder + resource.controller
  const nested = insideResource(resource, enclosing)
  return children.flatMap((child): readonly UnnamedRoute[] => {
    switch (child.kind) {
      case 'scope':
        return routesInside(child.nodes, parent, insideBlock(child, enclosing))
      case 'extra': {
        const at = {
          ...resource[child.name as 'member' | 'collection'],
          key,
          relation: 'own',
        } as const
        return child.nodes.map((verb) => verbRoute(verb, enclosing, at))
      }
      case 'verb':
        return [
          resource.isPlural
            ? verbRoute(child, nested, { ...nested.here, key, relation: 'nested' })
            : verbRoute(child, enclosing, { ...resource.member, key, relation: 'own' }),
        ]
      default:
        return routesOf(child, nested)
    }
  })
}

/** Where a verb is declared. */
interface VerbLocation extends Location {
  /** The surrounding resource's controller key, or `''`. */
  readonly key: string
  /**
   * How the verb relates to that resource. `own`: it's in `resource`, `member` or `collection`.
   * `nested`: it's directly in `resources`, so its path starts with a member's, as a nested
   * resource's does. `none`: there's no resource.
   */
  readonly relation: 'own' | 'nested' | 'none'
}

/**
 * In `member` and `collection`, Rails replaces these paths with the path of the resource itself.
 */
const isOwnPath = (path: string): boolean =>
  path !== 'edit' && pluralActions.includes(path as ActionName)

function verbRoute(node: DeclaredNode, enclosing: Enclosing, at: VerbLocation): UnnamedRoute {
  const { method, name: path, options } = node
  const { to, as } = options
  const target = /^(?:(\w+(?:\/\w+)*)#)?(\w+)$/.exec(to ?? path.replaceAll('-', '_'))
  const controller = target?.[1]
  if (!target || (controller === undefined && at.key === ''))
    throw new RouterError('HV_VERB_TARGET', { where: node.where, to })
  const isOwn = at.relation === 'own' && isOwnPath(path)
  const part = namePart(as ?? (isOwn ? '' : path))
  const isUnnamed = at.relation !== 'none' && path === '' && as === undefined
  const pattern = joinPath(at.path, isOwn ? '' : path)
  const { constraints, lives } = withNode(enclosing, node)
  for (const { paths } of constraints) paths.push(pattern)
  return {
    method,
    pattern,
    key: controller === undefined ? at.key : enclosing.folder + controller,
    action: target[2]!,
    declaredIn: node.version,
    constraints,
    lives,
    names: isUnnamed ? [] : at.relation === 'own' ? [part, ...at.names] : [...at.names, part],
  }
}

/**
 * Joins the parts of a route name. Like Rails, leaves a route unnamed if the result isn't an
 * identifier.
 */
const routeName = (parts: readonly string[]): string | null => {
  const name = parts.filter(Boolean).join('_')
  return /^_?[a-z]\w*$/i.test(name) ? name : null
}

/** Derives a part of a route name from a path: `reports_daily` from `reports/daily`. */
const namePart = (path: string): string => path.replace(/^\/+|\/+$/g, '').replace(/\/+|-/g, '_')
