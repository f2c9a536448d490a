import { quoted } from '../wording.ts'
import { type Became, isOfApp } from './change.ts'
import type { Convert } from './convert.ts'
import { type ChangeStep, refuseIn } from './step.ts'

/**
 * Lets a conversion of a step fail with an error that names the change: when it returns a promise, or a value with promises in
 * it, and when it throws something other than an object.
 *
 * @throws RouterError HV_CHANGE for an async function
 */
export function guardConversion(step: ChangeStep, convert: Convert): Convert {
  const refuse = refuseIn(step, null)
  if (convert.constructor.name === 'AsyncFunction') refuse('async')
  return (value) => {
    const converted = callWith(step.about, convert, value)
    const promises: PromiseLike<unknown>[] = []
    collectPromises(converted, promises)
    if (promises.length === 0) return converted
    for (const promise of promises) promise.then(noop, noop) // a rejection that nobody handles would end the process
    return refuse('async')
  }
}

/**
 * Collects the promises that a value is, or has at most two levels down: `{ items: [promise] }`. JSON would have `{}` in their
 * place. It creates no lists, because it runs for every value of every response.
 */
function collectPromises(value: any, promises: PromiseLike<unknown>[], levels = 2): void {
  if (typeof value !== 'object' || value === null) return
  if (typeof value.then === 'function') return void promises.push(value as PromiseLike<unknown>)
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  if (isPlain && levels > 0)
    for (const key in value) collectPromises(value[key], promises, levels - 1)
}

/** Express ignores an error that is undefined, and `next('route')` skips the route. */
function callWith(about: string, convert: Convert, value: unknown): unknown {
  try {
    return convert(value)
  } catch (error) {
    if (typeof error === 'object' && error !== null) throw error
    throw new Error(`the change '${about}' threw ${quoted(error)}`, { cause: error })
  }
}

/** Lets a step fail with an error that names the change when it sets a header that it cannot set. */
export function guardHeaders(step: ChangeStep, headers: Headers): Headers {
  const guarded = guardConversion(step, headers) as Headers
  return (value) => {
    const set = guarded(value)
    for (const [name, text] of Object.entries(set)) {
      if (!isOfApp(name))
        throw new Error(`the change '${step.about}' cannot set the header ${quoted(name)}`)
      if (/[^\t\x20-\x7e\x80-\xff]/.test(String(text ?? '')))
        throw new Error(
          `the change '${step.about}' sets ${quoted(name)} to what no header can have`,
        )
    }
    return set
  }
}
type Headers = NonNullable<Became['headers']>

const noop = (): void => {}
