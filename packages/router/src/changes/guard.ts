import { quoted } from '../wording.ts'
import { isOfApp } from './change.ts'
import type { Convert } from './convert.ts'
import { type ChangeStep, changeError } from './step.ts'

/**
 * Makes a conversion fail with an error that names its change, if it returns a promise, returns
 * promises inside a value, or throws something that isn't an object.
 *
 * @throws RouterError HV_CHANGE for an async function
 */
export function guardConversion(step: ChangeStep, convert: Convert): Convert {
  if (convert.constructor.name === 'AsyncFunction') throw changeError(step, null, 'async')
  return (value) => {
    let converted: unknown
    try {
      converted = convert(value)
    } catch (error) {
      // Express ignores an error that is undefined, and skips the route for 'route'.
      if (typeof error === 'object' && error !== null) throw error
      throw new Error(`the change '${step.about}' threw ${quoted(error)}`, { cause: error })
    }
    if (silencePromises(converted)) throw changeError(step, null, 'async')
    return converted
  }
}

/**
 * Finds promises in a value, at most two levels down: `{ items: [promise] }`. JSON.stringify would
 * write `{}` for each. Also handles their rejections, because an unhandled one ends the process.
 * This runs for every value of every response, so it allocates nothing.
 */
export function silencePromises(value: any, levels = 2): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (typeof value.then === 'function') {
    value.then(noop, noop)
    return true
  }
  let hasPromise = false
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  if (isPlain && levels > 0)
    for (const key in value) {
      const inner = value[key]
      if (typeof inner === 'object' && silencePromises(inner, levels - 1)) hasPromise = true
    }
  return hasPromise
}

type HeadersOf = (value: any) => Readonly<Record<string, string | undefined>>

/** Makes a step fail with an error that names its change if it sets a header that's not allowed. */
export function guardHeaders(step: ChangeStep, headersOf: HeadersOf): HeadersOf {
  const guarded = guardConversion(step, headersOf) as HeadersOf
  return (value) => {
    const headers = guarded(value)
    for (const [name, text] of Object.entries(headers)) {
      const subject = `the change '${step.about}'`
      if (!isOfApp(name)) throw new Error(`${subject} can't set the header ${quoted(name)}`)
      if (/[^\t\x20-\x7e\x80-\xff]/.test(String(text ?? '')))
        throw new Error(`${subject} sets ${quoted(name)} to what no header can have`)
    }
    return headers
  }
}

const noop = (): void => {}
