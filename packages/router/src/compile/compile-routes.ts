import type { Version } from '../declare/nodes.ts'
import type { ApiOptions } from '../declare/options.ts'
import type { Settings } from '../declare/settings.ts'
import { RouterError } from '../errors.ts'
import { assertConstraintsApply } from './constraint.ts'
import { insideApi } from './enclosing.ts'
import { type Sources, createExpander } from './inherit.ts'
import type { Route, VersionRoutes } from './route.ts'
import { routesOf } from './routes-of.ts'

/** Compiles the versions into routes, in the order of the route file. */
export function compileRoutes(
  settings: Settings,
  options: ApiOptions,
  versions: readonly Version[],
): readonly VersionRoutes[] {
  const inApi = insideApi(settings, options)
  const sources: Sources = new Map()
  const expand = createExpander(sources)
  const takenNames = new Set<string>()

  const table = versions.map((declared) => {
    const version = declared.name
    const node = expand(declared)
    const entries = routesOf(node, inApi)
    const earlier = sources.get(version) ?? []
    sources.set(version, entries.length === 0 ? earlier : [...earlier, node])

    const routes = new Set<Route>()
    for (const { route } of entries) {
      if (route === null) continue
      // If a version has a route twice, the second one is a different route, without a name.
      const listed = routes.has(route) ? { ...route } : route
      if (!Object.isFrozen(listed)) completeRoute(listed, version, takenNames)
      routes.add(listed)
    }
    return Object.freeze({
      version,
      index: settings.versions.indexOf(version),
      routes: Object.freeze([...routes]),
    })
  })
  assertConstraintsApply(inApi.sources.values())
  return Object.freeze(table)
}

/** Freezes a route in the first version that lists it, where it keeps its name if that's free. */
function completeRoute(
  route: { -readonly [Field in keyof Route]: Route[Field] },
  version: number,
  takenNames: Set<string>,
): void {
  const { name, params, pattern } = route
  const twice = params.find((param, i) => params.indexOf(param) < i)
  if (twice !== undefined)
    throw new RouterError('HV_PATH', { where: pattern, segment: `:${twice}`, twice: true })
  route.namedIn = version
  if (name !== null && takenNames.has(name)) route.name = null
  else if (name !== null) takenNames.add(name)
  Object.freeze(route)
}
