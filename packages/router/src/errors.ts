/** Every code a `RouterError` can bear; each has a heading in `docs/reference/errors.md`. */
export type RouterErrorCode =
  | 'HV_VENDOR_STRING'
  | 'HV_OPTION'
  | 'HV_NODE'
  | 'HV_NO_VERSION'
  | 'HV_VERSION_NUMBER'
  | 'HV_DEFAULT_VERSION'
  | 'HV_UNKNOWN_CACHE'
  | 'HV_DUPLICATE_CACHE'
  | 'HV_UNKNOWN_RESOURCE'
  | 'HV_UNKNOWN_ACTION'
  | 'HV_ONLY_AND_EXCEPT'
  | 'HV_VERB_TARGET'
  | 'HV_PATH'
  | 'HV_CONSTRAINT'
  | 'HV_MISSING_ACTIONS'
  | 'HV_MISSING_CONTROLLERS'
  | 'HV_TOO_MANY_VERSIONS'
  | 'HV_UNKNOWN_NAME'
  | 'HV_UNKNOWN_VERSION'
  | 'HV_PARAM'

const brand = Symbol.for('@hv/router.RouterError')

/**
 * A mistake in a route file, in the controllers given to an adapter, or in a call of a URL helper.
 * `message` begins with the code and says what is wrong, where, and what to do.
 *
 * @example
 * try { await import('./routes.js') } catch (error) {
 *   if (error instanceof RouterError) console.error(error.message) // HV_UNKNOWN_CACHE: version 2 inherits …
 * }
 */
export class RouterError extends Error {
  /** By brand: the CommonJS and the ES module copy of this package know each other's errors. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value
  }

  readonly [brand] = true
  readonly code: RouterErrorCode
  /** The parts of the message as data: names, numbers and lists, per code as documented. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: RouterErrorCode, text: string, details: Readonly<Record<string, unknown>> = {}) {
    super(`${code}: ${text}`)
    this.name = 'RouterError'
    this.code = code
    this.details = details
  }
}

/** `a, b, c`, or `none`: how lists stand in messages. */
export const listed = (items: Iterable<unknown>): string => [...new Set(items)].join(', ') || 'none'
