import type { Row } from '@hv/router'
import type { Handler } from './internals.ts'

/** What an adapter takes as an action. `decorated` is the handler, which has the metadata of the method. */
type ToAction = (handler: Handler, decorated: Handler) => object

/**
 * Arranges handlers as the controllers of an adapter: version → key → action. Nest's handlers differ by method: POST responds
 * with 201, so an action that has both gets one that chooses.
 */
export function actionsOf(handlers: ReadonlyMap<Row, Handler>, toAction: ToAction): object {
  const handlersOf = new Map<string, { post?: Handler; other?: Handler }>()
  const actions: Record<number, Record<string, Record<string, object>>> = {}
  for (const [{ version, key, action, method }, handler] of handlers) {
    const id = `${version} ${key}#${action}`
    const byMethod = handlersOf.get(id) ?? {}
    handlersOf.set(id, byMethod)
    byMethod[method === 'POST' ? 'post' : 'other'] ??= handler
    const controller = ((actions[version] ??= {})[key] ??= {})
    controller[action] = toAction(choose(byMethod), handler)
  }
  return actions
}

function choose({ post, other }: { post?: Handler; other?: Handler }): Handler {
  if (post === undefined || other === undefined) return (post ?? other)!
  return (request, response, next) =>
    ((request as { method: string }).method === 'POST' ? post : other)(request, response, next)
}
