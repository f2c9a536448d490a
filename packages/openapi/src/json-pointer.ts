// Steps of JSON Pointers (RFC 6901), as `$ref` has them in the fragment of a URL.

export const escapeStep = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

export const decodeStep = (step: string): string => decode(step).replaceAll('~1', '/').replaceAll('~0', '~')

/** Undoes percent-encoding. A text that is not encoded validly stays as it is, and names nothing. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
