// The part of negotiator that ranks media types, without the parts for languages, charsets and encodings.
declare module 'negotiator/lib/mediaType.js' {
  /** The types of an Accept header, best first. */
  export default function preferredMediaTypes(accept: string): string[]
}
