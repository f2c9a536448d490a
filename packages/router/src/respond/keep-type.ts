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
