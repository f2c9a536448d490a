/** A response header: its name in lower case, and its value. */
export type Header = readonly [name: string, value: string]

/** Every response of an API depends on Accept, those to refused requests and errors included. */
export const varyOnAccept: readonly Header[] = [['vary', 'Accept']]

/** Adds `Accept` to a Vary header (RFC 9110, section 12.5.5) and keeps what it already lists. */
export function varyAccept(vary: string | undefined): string {
  if (vary === undefined || vary === '') return 'Accept'
  return /(?:^|,)\s*(?:accept|\*)\s*(?:,|$)/i.test(vary) ? vary : `${vary}, Accept`
}

/**
 * Creates the function that adds headers to a response of a framework.
 * A header that the handler set stays; `Vary` and `Link` are extended. `Cache-Control` is replaced: only a brownout has it,
 * and no cache may keep that response. Adding the same headers twice changes nothing.
 *
 * @param get - reads a header of the response
 * @param set - sets a header of the response
 */
export const createAddHeaders =
  <Response>(
    get: (response: Response, name: string) => string | undefined,
    set: (response: Response, name: string, value: string) => unknown,
  ) =>
  (response: Response, headers: readonly Header[]): void => {
    for (const [name, value] of headers) {
      const present = get(response, name)
      if (present === undefined || name === 'cache-control') set(response, name, value)
      else if (name === 'vary') set(response, name, varyAccept(present))
      else if (name === 'link' && !present.includes(value))
        set(response, name, `${present}, ${value}`)
    }
  }

/** A property of responses. All copies of the packages share the symbol. */
const kKeepType = Symbol.for('@hv/router.keepType')

/**
 * Marks a response whose Content-Type the adapter leaves alone. A framework that responds to errors inside the handler calls it
 * with these responses: an error is no representation of a version, even as JSON.
 *
 * @example keepType(response)
 */
export function keepType(response: object): void {
  Object.defineProperty(response, kKeepType, { value: true, configurable: true })
}

/** Whether {@link keepType} was called with the response. */
export const keepsType = (response: object): boolean => kKeepType in response
