/** A response header: its name in lower case, and its value. */
export type Header = readonly [name: string, value: string]

/** Every response of an API depends on Accept, even refusals and errors. */
export const varyOnAccept: readonly Header[] = [['vary', 'Accept']]

/** Adds `Accept` to what a Vary header lists (RFC 9110, section 12.5.5). */
export function varyAccept(vary: string | undefined): string {
  if (!vary) return 'Accept'
  return /(?:^|,)\s*(?:accept|\*)\s*(?:,|$)/i.test(vary) ? vary : `${vary}, Accept`
}

/**
 * Creates the function that adds headers to a framework's response. Headers that the handler has
 * set win, except that `Vary` and `Link` are merged. `Cache-Control` is replaced, because only a
 * brownout sets it, and no cache may keep that response. Adding the same headers twice changes
 * nothing.
 *
 * @param get - reads one of the response's headers
 * @param set - sets one of the response's headers
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

/** A property of responses. All copies of this package share the symbol. */
const kKeepType = Symbol.for('@hv/router.keepType')

/**
 * Marks a response whose Content-Type the adapter should leave alone. Call it before a framework
 * responds to an error inside the handler, as Nest's filters do. Otherwise, the error would get the
 * version's vendor type.
 *
 * @example keepType(response)
 */
export function keepType(response: object): void {
  Object.defineProperty(response, kKeepType, { value: true, configurable: true })
}

/** Whether a response has the mark of {@link keepType}. */
export const keepsType = (response: object): boolean => kKeepType in response
