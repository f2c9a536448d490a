/** Undoes the percent-encoding of a `$ref`. A text that is not encoded validly stays as it is, and names nothing. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
