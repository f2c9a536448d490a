import { quoted } from '../wording.ts'
import { type Became, isOfApp } from './change.ts'
import type { Convert } from './convert.ts'
import { type ChangeStep, changeError, isBecame } from './plan.ts'

/**
 * Lets the conversions of a step fail with an error that names the change: when they return a promise, or a value with promises
 * in it, when they throw something other than an object, and when they set a header that they cannot set.
 *
 * @throws RouterError HV_CHANGE for an async function
 */
export function guard(step: ChangeStep): ChangeStep {
  if (!isBecame(step)) return step
  const { up, down, headers } = step.one
  const one = {
    ...step.one,
    ...(up && { up: guardConversion(step, up) }),
    ...(down && { down: guardConversion(step, down) }),
    ...(headers && { headers: guardHeaders(step.about, guardConversion(step, headers) as typeof headers) }),
  }
  return { ...step, one }
}

function guardConversion(step: ChangeStep, convert: Convert): Convert {
  if (convert.constructor.name === 'AsyncFunction') throw changeError(step, null, 'async')
  return (value) => {
    const converted = callWith(step.about, convert, value)
    const promises: PromiseLike<unknown>[] = []
    collectPromises(converted, promises)
    if (promises.length === 0) return converted
    for (const promise of promises) promise.then(noop, noop) // a rejection that nobody handles would end the process
    throw changeError(step, null, 'async')
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
  if (isPlain && levels > 0) for (const key in value) collectPromises(value[key], promises, levels - 1)
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

const guardHeaders =
  (about: string, headers: NonNullable<Became['headers']>): NonNullable<Became['headers']> =>
  (value) => {
    const set = headers(value)
    for (const [name, text] of Object.entries(set)) {
      if (!isOfApp(name)) throw new Error(`the change '${about}' cannot set the header ${quoted(name)}`)
      if (/[^\t\x20-\x7e\x80-\xff]/.test(String(text ?? '')))
        throw new Error(`the change '${about}' sets ${quoted(name)} to what no header can have`)
    }
    return set
  }

const noop = (): void => {}
