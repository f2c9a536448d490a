import {
  type Guard,
  type Translation,
  guardBody,
  guards,
  isBodiless,
  nodeHeaders,
} from '@hv/router/adapter'
import type { RequestHandler, Response } from 'express'
import onHeaders from 'on-headers'

/**
 * Converts what `res.json()` sends, JSON that's sent as text, and every response's head. This
 * middleware runs before the action's, because that may respond as well.
 */
export function convertResponses(translation: Translation): readonly RequestHandler[] {
  const { respond, head } = translation
  const convert: RequestHandler = (_req, res, next) => {
    const guard: Guard = { translation, fail: next }
    if (head !== null)
      onHeaders(res, () => {
        if (!guard.isConverted) res.statusCode = head.statusOf(res.statusCode)
        head.rename(nodeHeaders(res))
        if (isBodiless(res.statusCode))
          for (const name of ['Content-Type', 'Content-Length', 'Transfer-Encoding'])
            res.removeHeader(name)
      })
    if (respond !== null) {
      hook(Object.getPrototypeOf(res))
      hookOwn(res)
      guards.set(res, guard)
    }
    next()
  }
  return respond === null && head === null ? [] : [convert]
}

const hooked = new WeakSet<object>()

/**
 * Hooks into the last prototype before Node's, which Express's responses share. Methods of each
 * response would take 10 µs of CPU.
 */
function hook(prototype: Response | null): void {
  if (prototype === null || hooked.has(prototype)) return
  const native = Object.getPrototypeOf(prototype) as Response | null
  if (native === null || !Object.hasOwn(native, 'writeHead')) return hook(native)
  hooked.add(prototype)
  const { json, jsonp } = prototype
  Object.assign(prototype, guardBody(prototype), {
    json: convertWith(json),
    jsonp: convertWith(jsonp),
  })
}

/** Middleware such as compression has replaced methods, and would see the text before the hook. */
function hookOwn(res: Response): void {
  const own = Object.entries(guardBody(res)).filter(([name]) => Object.hasOwn(res, name))
  if (own.length > 0) Object.assign(res, Object.fromEntries(own))
}

const convertWith = (send: Response['json']) =>
  function convert(this: Response, body?: unknown): Response {
    const guard = guards.get(this)
    if (guard === undefined) return send.call(this, body)
    guards.delete(this) // if the conversion fails, the response to that error isn't converted
    const set = (name: string, value: string) => void this.setHeader(name, value)
    const older = guard.translation.respond!(this.statusCode, body, set)
    guard.isConverted = true
    return send.call(this.status(older.status), older.body)
  }
