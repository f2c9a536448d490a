// The part of negotiator that ranks plain names, without the parts for media types, languages and encodings.
declare module 'negotiator/lib/charset.js' {
  /** The names of a header of the form `name;q=0.5, …`, best first. */
  export default function preferredCharsets(accept: string): string[]
}
