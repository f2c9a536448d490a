import type { Matcher } from '@hv/router'
import type { Request, RequestHandler } from 'express'

/** A layer of an Express router: middleware or a nested router, and the path where it is mounted. */
interface Layer {
  readonly handle: RequestHandler & { readonly stack?: readonly Layer[] }
  /** Express 5 returns the match. Express 4 returns a boolean and sets `path`. */
  match(path: string): boolean | { readonly path: string }
  readonly path?: string
}

/** A property of every versioned router: its match function. All copies of this package share the symbol. */
const kMatch = Symbol.for('@hv/router-express.match')
interface MaybeRouter {
  readonly [kMatch]?: Matcher<Request>['match']
}

/** Makes a versioned router known to those that are mounted before it. */
export const addRouter = (router: RequestHandler, match: Matcher<Request>['match']): void =>
  void Object.defineProperty(router, kMatch, { value: match })

/**
 * Whether a versioned router that is mounted later on the same app or Express router serves the request:
 * APIs of two vendors may share their paths. Runs no middleware.
 */
export function isServedLater(router: RequestHandler, req: Request): boolean {
  const { app, baseUrl, path, method, headers } = req
  const { stack } = (app._router ?? app.router) as { stack: readonly Layer[] } // Express 4 ?? Express 5
  const layers = layersFrom(router, stack)
  if (layers === undefined) return false
  const [own, ...later] = layers as [Layer, ...Layer[]]

  // The layers match a path without the prefix of the Express router they are in. `baseUrl` contains it: cut it off.
  let base = baseUrl
  while (base !== '' && mountPath(own, base + path) !== base) base = base.replace(/^\/[^/]*/, '')

  return later.some((layer) => {
    const match = (layer.handle as MaybeRouter)[kMatch]
    const prefix = match && mountPath(layer, base + path)
    return (
      prefix !== undefined && match!(method, (base + path).slice(prefix.length), headers.accept, req).kind === 'match'
    )
  })
}

/** The layer of the router and those after it, here or in a nested Express router. */
function layersFrom(router: RequestHandler, stack: readonly Layer[]): readonly Layer[] | undefined {
  const own = stack.findIndex(({ handle }) => handle === router)
  if (own >= 0) return stack.slice(own)
  for (const { handle } of stack) {
    const layers = handle.stack && layersFrom(router, handle.stack)
    if (layers !== undefined) return layers
  }
  return undefined
}

/** The part of a path where a layer is mounted. Undefined when the layer does not match the path. */
function mountPath(layer: Layer, path: string): string | undefined {
  const matched = layer.match(path)
  return typeof matched === 'object' ? matched.path : matched ? layer.path : undefined
}
