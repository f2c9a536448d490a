import type { IncomingMessage } from 'node:http'
import { type Api, type Matcher, type MatcherOptions, createMatcher, routeTable } from '@hv/router'
import { respell } from './target.ts'
import type { FastifyInstance } from 'fastify'

type Route = Api['table'][number]['routes'][number]

/** Creates the match function of an API. Without `caseSensitive`, the letters of static segments may be of either case. */
export function createMatch(
  api: Api,
  { initialConfig }: FastifyInstance,
  options: MatcherOptions<IncomingMessage>,
): Matcher<IncomingMessage>['match'] {
  const { caseSensitive } = { ...initialConfig, ...initialConfig.routerOptions }
  if (caseSensitive !== false) return createMatcher(api, options).match

  // The second match of a request uses the time and the default version of the first.
  const { now = Date.now, defaultVersion } = options
  let time = 0
  let pinned: number | null | undefined
  const lowered = toLowerCase(api)
  const { match: matchLowered } = createMatcher<IncomingMessage>(lowered, {
    now: () => (time = now()),
    ...(defaultVersion && { defaultVersion: (request) => (pinned = defaultVersion(request)) }),
  })
  const { match } = createMatcher(api, { now: () => time, ...(defaultVersion && { defaultVersion: () => pinned }) })
  const rows = routeTable(api)
  const declared = new Map(routeTable(lowered).map((row, i) => [row, rows[i]!]))

  return (method, url, accept, request) => {
    const path = url.split(/[?#]/, 1)[0]!
    const found = matchLowered(method, path.toLowerCase(), accept, request)
    if (found.kind === 'miss') return found
    // Once more with the letters of the route, because parameters keep those of the request.
    const exact = match(method, respell(path, declared.get(found.route)!.pattern, found.params), accept)
    return exact.kind === 'match' ? { ...exact, format: found.format } : exact
  }
}

function toLowerCase(api: Api): Api {
  const lowered = new Map<Route, Route>() // versions share their routes
  const lower = (route: Route): Route => {
    const known = lowered.get(route)
    if (known !== undefined) return known
    const constraints = Object.fromEntries(
      Object.entries(route.constraints).map(([param, { source, flags }]) => [
        param,
        new RegExp(source, flags.includes('i') ? flags : `${flags}i`),
      ]),
    )
    const pattern = route.pattern.replaceAll(/(?<=\/)[^:*/][^/]*/g, (segment) => segment.toLowerCase())
    const result = { ...route, pattern, constraints }
    lowered.set(route, result)
    return result
  }
  return {
    ...api,
    settings: { ...api.settings, prefix: api.settings.prefix.toLowerCase() },
    table: api.table.map((version) => ({ ...version, routes: version.routes.map(lower) })),
  }
}
