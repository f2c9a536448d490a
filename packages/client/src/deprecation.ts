/** A response's announcement that an action, or all of its version, will go away. */
export interface Deprecation {
  readonly version: number
  /** `users.index` */
  readonly action: string
  /** When the action was deprecated, or will be. Null if the header contains no readable date. */
  readonly deprecation: Date | null
  /** When the action stops working. Null if the header contains no readable date. */
  readonly sunset: Date | null
  /**
   * URLs by link relation: `deprecation`, `sunset`, `successor-version`. Only HTTP ones, so that a
   * page can safely link to them.
   */
  readonly links: Readonly<Record<string, string>>
}

/**
 * Reads the headers Deprecation (RFC 9745), Sunset (RFC 8594) and Link (RFC 8288). Many servers get
 * the date's form wrong, so it accepts every form that JavaScript parses.
 *
 * @returns null if the response has neither Deprecation nor Sunset
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

/**
 * Reads `@1688169599`, or any other date with a year. The year is required, because JavaScript
 * parses even `?1` as a date, which is how a structured header spells true.
 */
function dateOf(text: string | null): Date | null {
  const seconds = /^@(-?\d+) *(;|$)/.exec(text ?? '')?.[1]
  const date = new Date(seconds ? Number(seconds) * 1000 : /\d{4}/.test(text ?? '') ? text! : NaN)
  return Number.isNaN(date.getTime()) ? null : date
}

/** `<https://acme.example/v2>; rel="deprecation"; type="text/html", </users>; rel=next` */
function linksOf(header: string): Record<string, string> {
  const links: [relation: string, target: string][] = []
  for (const [, target, params] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (!isHttp(target!)) continue
    const [, quoted, plain] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s";,]+))/i.exec(params!) ?? []
    for (const relation of (quoted ?? plain ?? '').split(/\s+/))
      if (relation !== '') links.push([relation, target!])
  }
  return Object.fromEntries(links)
}

/** Whether a link leads to an HTTP URL, as relative URLs do, but `javascript:…` doesn't. */
const isHttp = (url: string): boolean =>
  URL.canParse(url, 'https://acme.example') &&
  /^https?:$/.test(new URL(url, 'https://acme.example').protocol)
