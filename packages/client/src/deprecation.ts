/** The announcement that an action or its version will go away, as a response carries it. */
export interface Deprecation {
  readonly version: number
  /** `users.index` */
  readonly action: string
  /** The date from which the action is deprecated, past or future. Null without a readable date. */
  readonly deprecation: Date | null
  /** The date on which the action stops working. Null without a readable date. */
  readonly sunset: Date | null
  /** URLs by link relation: `deprecation`, `sunset`, `successor-version`. Only those of HTTP, so that a page may link to them. */
  readonly links: Readonly<Record<string, string>>
}

/**
 * Reads the headers Deprecation (RFC 9745), Sunset (RFC 8594) and Link (RFC 8288). Many servers send other forms of a
 * date, so it accepts every form that JavaScript parses.
 *
 * @returns null for a response without Deprecation and Sunset
 */
export function readDeprecation(headers: Headers): Omit<Deprecation, 'version' | 'action'> | null {
  const deprecation = headers.get('deprecation')
  const sunset = headers.get('sunset')
  if (deprecation === null && sunset === null) return null
  return {
    deprecation: dateOf(deprecation),
    sunset: dateOf(sunset),
    links: linksOf(headers.get('link') ?? ''),
  }
}

/** `@1688169599`, or any other date. JavaScript also parses `?1`, the boolean true of a header, so a year is required. */
function dateOf(text: string | null): Date | null {
  const seconds = /^@(-?\d+) *(;|$)/.exec(text ?? '')?.[1]
  const date = new Date(seconds ? Number(seconds) * 1000 : /\d{4}/.test(text ?? '') ? text! : NaN)
  return Number.isNaN(date.getTime()) ? null : date
}

/** `<https://acme.example/v2>; rel="deprecation"; type="text/html", </users>; rel=next` */
const linksOf = (header: string): Record<string, string> =>
  Object.fromEntries(
    [...header.matchAll(/<([^<>]*)>([^<]*)/g)].flatMap(([, target, params]) => {
      const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s";,]+))/i.exec(params!)
      return (isHttp(target!) ? (relations?.[1] ?? relations?.[2] ?? '') : '')
        .split(/\s+/)
        .filter(Boolean)
        .map((relation) => [relation, target!])
    }),
  )

/** A relative URL is one of HTTP. `javascript:` is not. */
const isHttp = (url: string): boolean =>
  URL.canParse(url, 'https://acme.example') &&
  /^https?:$/.test(new URL(url, 'https://acme.example').protocol)
