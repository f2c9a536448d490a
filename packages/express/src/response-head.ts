import type { ServerResponse } from 'node:http'
import type { Response } from 'express'
import onHeaders from 'on-headers'

/** A response, or a prototype of responses. */
interface HasHead {
  writeHead(this: HasHead, ...head: unknown[]): unknown
}

const listeners = new WeakMap<HasHead, () => void>()
const hooked = new WeakSet<HasHead>()

/**
 * Calls a function when the head of a response is written, after the listeners of other middleware: a `Vary` that they set must
 * not replace ours. It may be called more than once. It replaces an earlier one of the same response.
 *
 * The hook is on the prototype of all responses of Express. `on-headers` alone adds a property to each response: its listeners
 * run in the opposite order, and on Node 20 and 22 the property costs 2 µs.
 */
export function beforeHead(res: Response, listener: () => void): void {
  hook(Object.getPrototypeOf(res))
  listeners.set(res as HasHead, listener)
  // Middleware that replaces the method calls ours. A mock of a response may not.
  if (Object.hasOwn(res, 'writeHead')) onHeaders(res, listener)
}

/** Hooks into the last prototype that inherits `writeHead()` from Node. */
function hook(prototype: HasHead | null): void {
  if (prototype === null || hooked.has(prototype)) return
  hooked.add(prototype)
  const native = Object.getPrototypeOf(prototype) as HasHead | null
  if (native === null || !Object.hasOwn(native, 'writeHead')) return hook(native)

  prototype.writeHead = function writeHead(...head) {
    const listener = listeners.get(this)
    const next = { writeHead: native.writeHead } as HasHead
    // `on-headers` sets the headers that are passed, so that the listener sees them.
    if (head.length > 1 && listener !== undefined) onHeaders(next as ServerResponse, listener)
    else listener?.()
    const result = next.writeHead.apply(this, head)
    listeners.delete(this) // not before: Node throws for an invalid status
    return result
  }
}
