import { type ActionName, actions, pluralActions, singularActions } from '../declare/actions.ts'
import { pluralize, singularize } from '../declare/inflect.ts'
import { isSelected } from '../declare/options.ts'
import { joinPath, paramsOf, shapeOf } from '../declare/settings.ts'
import { RouterError } from '../errors.ts'
import { compileConstraints, findConstraint } from './constraint.ts'
import {
  type Enclosing,
  type Location,
  below,
  insideBlock,
  insideInherit,
  nameIn,
  withName,
  withNode,
} from './enclosing.ts'
import { type Entry, selectEntries } from './inherit.ts'
import type { AnyNode } from './node.ts'
import type { Route } from './route.ts'

/** Lists a node's routes, and what an `inherit` can call them. */
export function routesOf(node: AnyNode, enclosing: Enclosing): readonly Entry[] {
  const { shared } = enclosing
  const entries = shared?.get(node) ?? compileNode(node, enclosing)
  shared?.set(node, entries)
  return entries
}

function compileNode(node: AnyNode, enclosing: Enclosing): readonly Entry[] {
  switch (node.kind) {
    case 'verb':
      return [verbRoute(node, enclosing, { ...enclosing.here, key: '', isOwn: false })]
    case 'resources':
    case 'resource':
      return resourceRoutes(node, enclosing)
    case 'inherit': {
      const inside = insideInherit(node, enclosing)
      const repeated = node.nodes.flatMap((child) => routesOf(child, inside))
      const selected = selectEntries(node, repeated)
      if (enclosing.within.length === 0) return selected
      return selected.map((entry) => {
        const inner = entry.within.map((name) => nameIn(enclosing, name))
        return { ...entry, within: [...enclosing.within, ...inner] }
      })
    }
    default: {
      const inside = insideBlock(node, enclosing)
      const entries = node.nodes.flatMap((child) => routesOf(child, inside))
      return node.kind === 'namespace'
        ? [{ within: inside.within, action: null, route: null }, ...entries]
        : entries
    }
  }
}

/** Lists the routes of the nodes inside, then those of the resource itself, as Rails does. */
function resourceRoutes(node: AnyNode, enclosing: Enclosing): readonly Entry[] {
  const inside = withNode(enclosing, node)
  const { selection, shallow, patch } = inside
  // Nested resources don't inherit this resource's `only`, `except` and `patch`.
  const inner: Enclosing = {
    ...inside,
    within: withName(enclosing, node.name),
    selection: enclosing.selection,
    patch: enclosing.patch,
    isNested: false,
    isInShallow: enclosing.isInShallow || shallow,
    shared: null,
  }
  const resource = layOut(node, inner)
  const { within } = inner
  const entries: Entry[] = [
    { within, action: null, route: null },
    ...routesInside(node, node.nodes, resource, inner),
  ]
  for (const action of resource.isPlural ? pluralActions : singularActions) {
    if (!isSelected(action, node.options)) continue
    if (!isSelected(action, selection)) {
      entries.push({ within, action, route: null })
      continue
    }
    const { method, on, path } = actions[action]
    const { path: base, names } = resource[on]
    const pattern = path === '' ? base : `${base}/${path}`
    const nameParts = path === '' ? names : [path, ...resource.singularNames[on]]
    const target = { node, method, pattern, key: resource.key, action, nameParts }
    entries.push({ within, action, route: createRoute(target, inner) })
    if (action !== 'update' || !patch) continue
    const patching = createRoute({ ...target, method: 'PATCH', nameParts: [] }, inner)
    entries.push({ within, action, route: patching })
  }
  return entries
}

/** A resource's paths and name parts. */
type Layout = ReturnType<typeof layOut>

/**
 * Lists the routes of the nodes inside a resource. As in Rails, a `scope` in a resource changes
 * what encloses the resource itself, so its path comes before the resource's.
 */
function routesInside(
  parent: AnyNode,
  children: readonly AnyNode[],
  resource: Layout,
  enclosing: Enclosing,
): readonly Entry[] {
  const { key, isPlural, member } = resource
  const nested = insideResource(resource, enclosing)
  return children.flatMap((child): readonly Entry[] => {
    switch (child.kind) {
      case 'scope': {
        const inside = insideBlock(child, enclosing)
        return routesInside(parent, child.nodes, layOut(parent, inside), inside)
      }
      case 'extra': {
        const inside = withNode(enclosing, child)
        const at = { ...resource[child.name as 'member' | 'collection'], key, isOwn: true }
        return child.nodes.map((verb) => verbRoute(verb, inside, at))
      }
      case 'verb':
        return [
          isPlural
            ? verbRoute(child, nested, { ...nested.here, key, isOwn: false })
            : verbRoute(child, enclosing, { ...member, key, isOwn: true }),
        ]
      default:
        return routesOf(child, nested)
    }
  })
}

/** Computes a resource's paths and name parts from its options and what encloses it. */
function layOut({ kind, name, options }: AnyNode, enclosing: Enclosing) {
  const isPlural = kind === 'resources'
  const defaultController = isPlural ? name : pluralize(name)
  const { path = name, as = name, param = 'id', controller = defaultController } = options
  const singular = isPlural ? (options.singular ?? singularize(as)) : as
  const plural = isPlural && singular === as ? `${as}_index` : as

  const { here, root, shallow, isInShallow } = enclosing
  const memberBase = isPlural && shallow ? root : here
  const nestedBase = isPlural && shallow && isInShallow ? root : here
  const parentParam = `${singular}_${param}`
  const memberPath = isPlural ? `${path}/:${param}` : path
  const nestedPath = isPlural ? `${path}/:${parentParam}` : path
  const member = below(memberBase, memberPath, singular)
  return {
    isPlural,
    /** The controller's key. */
    key: enclosing.folder + controller,
    collection: below(here, path, plural),
    member,
    /** The path of nested routes: `/posts/:post_id`. */
    nested: below(nestedBase, nestedPath, singular),
    /** The name parts of `new` and `edit`, which have their own paths. */
    singularNames: { collection: [...here.names, singular], member: member.names },
    /** The member's parameter, and what nested routes call it: `id`, `post_id`. */
    param,
    parentParam,
  }
}

/** Returns what encloses nested nodes. Their `post_id` has the constraint of the parent's `id`. */
function insideResource(
  { isPlural, param, parentParam, member, nested }: Layout,
  enclosing: Enclosing,
): Enclosing {
  // A constraint applies to the members even if `only` or `except` leaves their routes out.
  for (const { paths } of enclosing.constraints) paths.push(member.path, nested.path)
  const source = isPlural ? findConstraint(enclosing.constraints, param) : undefined
  const inside = { ...enclosing, here: nested, isNested: true }
  if (source === undefined) return inside
  const { constraints, where } = source
  const parentConstraints = { [parentParam]: constraints[param]! }
  const parentSource = { constraints: parentConstraints, where, param, paths: [] }
  return { ...inside, constraints: [...enclosing.constraints, parentSource] }
}

/** Where a verb is declared. */
interface VerbLocation extends Location {
  /** The surrounding resource's controller key. `''` if there's no resource. */
  readonly key: string
  /**
   * Whether the verb is in `resource`, `member` or `collection`. Directly in `resources`, its path
   * starts with a member's, as a nested resource's does.
   */
  readonly isOwn: boolean
}

function verbRoute(node: AnyNode, enclosing: Enclosing, at: VerbLocation): Entry {
  const { method, name: path, options } = node
  const { to, as } = options
  const inside = withNode(enclosing, node)
  const target = /^(?:(\w+(?:\/\w+)*)#)?(\w+)$/.exec(to ?? path.replaceAll('-', '_'))
  const controller = target?.[1]
  if (!target || (controller === undefined && at.key === ''))
    throw new RouterError('HV_VERB_TARGET', { where: inside.where, to })
  const action = target[2]!
  // In `member` and `collection`, Rails replaces an action's name with the resource's own path.
  const isReplaced = at.isOwn && path !== 'edit' && pluralActions.includes(path as ActionName)
  const ownPath = isReplaced ? '' : path
  // `reports_daily` for `reports/daily`
  const part = (as ?? ownPath).replace(/^\/+|\/+$/g, '').replace(/\/+|-/g, '_')
  const isUnnamed = at.key !== '' && path === '' && as === undefined
  const pattern = joinPath(at.path, ownPath)
  for (const { paths } of inside.constraints) paths.push(pattern)
  const key = controller === undefined ? at.key : enclosing.folder + controller
  const nameParts = isUnnamed ? [] : at.isOwn ? [part, ...at.names] : [...at.names, part]
  const route = createRoute({ node, method, pattern, key, action, nameParts }, inside)
  const within = withName(enclosing, path)
  // `health` and `health#show` outside a resource, `users/preview` and `users#preview` in one.
  return at.key === ''
    ? { within: [...within, nameIn(enclosing, to!)], action: null, route }
    : { within: [...within, enclosing.within.at(-1)!], action, route }
}

interface Target extends Pick<Route, 'method' | 'pattern' | 'key' | 'action'> {
  readonly node: AnyNode
  readonly nameParts: readonly string[]
}

/** Creates a route that no version has listed yet. */
function createRoute(
  { node, method, pattern, key, action, nameParts }: Target,
  { constraints, lives, patterns }: Enclosing,
): Route {
  const shared = patterns.get(pattern) ?? {
    pattern,
    shape: shapeOf(pattern || '/'),
    params: Object.freeze(paramsOf(pattern)),
  }
  patterns.set(pattern, shared)
  const name = nameParts.filter(Boolean).join('_')
  return {
    method,
    pattern: shared.pattern,
    shape: shared.shape,
    params: shared.params,
    key,
    action,
    name: /^_?[a-z]\w*$/i.test(name) ? name : null, // Rails also leaves such a route unnamed
    namedIn: node.version,
    declaredIn: node.version,
    lives,
    constraints: compileConstraints(constraints, pattern),
  }
}
