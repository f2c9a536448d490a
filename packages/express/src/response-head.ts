import type { ServerResponse } from 'node:http'
import express, { type Response } from 'express'
import onHeaders from 'on-headers'

/** A response, or one of its prototypes. */
interface HasHead {
  writeHead(this: HasHead, ...head: unknown[]): unknown
}

const listeners = new WeakMap<HasHead, () => void>()
const hooked = new WeakSet<HasHead>()

/**
 * Calls a listener when a response's head is written. It may be called more than once. A response
 * only has one listener: a second one replaces the first. It runs after other middleware's
 * listeners, because a `Vary` that they set would replace ours.
 *
 * `on-headers` alone would run the listeners in the opposite order. It also adds a property to each
 * response, which takes 2 µs on Node 20 and 22, so the hook is on the prototype that Express's
 * responses share.
 */
export function beforeHead(res: Response, listener: () => void): void {
  hook(Object.getPrototypeOf(res))
  listeners.set(res as HasHead, listener)
  // Middleware that replaces the method calls the original one, but a mocked response may not.
  if (Object.hasOwn(res, 'writeHead')) onHeaders(res, listener)
}

/** Hooks into the last prototype before Node's, which has the native `writeHead()`. */
function hook(prototype: HasHead | null): void {
  if (prototype === null || hooked.has(prototype)) return
  hooked.add(prototype)
  const native = Object.getPrototypeOf(prototype) as HasHead | null
  if (native === null || hooked.has(native) || !Object.hasOwn(native, 'writeHead'))
    return hook(native)

  // Another copy of this package may have hooked into it as well.
  const other = Object.hasOwn(prototype, 'writeHead') ? prototype.writeHead : null
  prototype.writeHead = function writeHead(...head) {
    const listener = listeners.get(this)
    const next = { writeHead: other ?? native.writeHead } as HasHead
    // `on-headers` first sets the headers that are passed as an argument, so the listener sees
    // them.
    if (head.length > 1 && listener !== undefined) onHeaders(next as ServerResponse, listener)
    else listener?.()
    const result = next.writeHead.apply(this, head)
    listeners.delete(this) // at the end, because Node throws if the status is invalid
    return result
  }
}

// Before the first request: `on-headers` keeps the method that it finds.
hook(express.response as HasHead)
