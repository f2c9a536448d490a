import {
  type OlderHead,
  type Plan,
  type RequestPart,
  type RequestStep,
  requestParts,
} from './plan.ts'

/** How an action of an older version is served with the action of a newer one. */
export interface Translation {
  /** By part of the request: the steps from the oldest version to the newest. Only parts that changed. */
  readonly request: Readonly<Partial<Record<RequestPart, readonly RequestStep[]>>>
  /**
   * Converts the body of a response, and sets the headers of older responses. Null if no response changed.
   *
   * @param status - the status of the response
   * @returns the older body, and the status of the older response
   */
  readonly respond: ((status: number, body: unknown, setHeader: SetHeader) => OlderResponse) | null
  /** What the head of every response becomes, whatever its body. Null if nothing changed. */
  readonly head: Head | null
}
type SetHeader = (name: string, value: string) => void

/** A response as an older client sees it. */
export interface OlderResponse {
  readonly status: number
  readonly body: unknown
}

/** The head of older responses. */
export interface Head {
  /** Returns the status of the older response. One with 204, 205 or 304 has no body. */
  statusOf(status: number): number
  /** Renames and removes headers. An older header that the handler has set itself stays. */
  rename(headers: MutableHeaders): void
}

/** The headers of a response, in any framework. */
export interface MutableHeaders {
  get(name: string): unknown
  set(name: string, value: never): void
  remove(name: string): void
}

/** A derived action is the newer one with an older schema and its history, from the latest step on. Copies keep it. */
export const kHistory = Symbol.for('@hv/router.history')
export const historyOf = (action: unknown): readonly Plan[] =>
  (action as { readonly [kHistory]?: readonly Plan[] })[kHistory] ?? []

/**
 * Returns how requests and responses of an action are converted; nothing is, if `before` has not made it.
 *
 * @param options - the options of the action
 */
export function translationOf(options: Readonly<Record<string, unknown>>): Translation {
  const history = historyOf(options)
  const request: Partial<Record<RequestPart, readonly RequestStep[]>> = {}
  for (const part of requestParts) {
    const steps = history.toReversed().flatMap((plan) => plan.request?.[part] ?? [])
    if (steps.length > 0) request[part] = steps
  }
  return { request, respond: respondWith(history), head: headWith(history) }
}

function respondWith(plans: readonly Plan[]): Translation['respond'] {
  const isConverted = plans.some(({ response = {} }) =>
    Object.values(response).some((plan) => plan !== null),
  )
  if (!isConverted) return null
  return (status, newer, setHeader) => {
    const head: OlderHead = { status, headers: [] }
    let body = newer
    for (const plan of plans) {
      const convert = responseOf(plan, head.status)
      if (convert) body = convert(body, head)
      else head.status = olderStatus(plan, head.status)
    }
    for (const [name, value] of head.headers) setHeader(name, value)
    return { status: head.status, body }
  }
}

const responseOf = ({ response = {} }: Plan, status: number) => {
  const declared = response[status]
  return declared === undefined
    ? (response[`${String(status)[0]}xx`] ?? response['default'])
    : declared
}

const olderStatus = ({ status: became }: Plan, status: number): number =>
  became?.newer === status ? became.older : status

function headWith(plans: readonly Plan[]): Head | null {
  const renamed = plans.flatMap(({ header }) => header ?? [])
  if (renamed.length === 0 && plans.every(({ status }) => status === undefined)) return null
  return {
    statusOf: (status) => plans.reduce((now, plan) => olderStatus(plan, now), status),
    rename(headers) {
      for (const { older, newer } of renamed) {
        const value = headers.get(newer) ?? null
        if (value === null) continue
        headers.remove(newer)
        if (older !== null && (headers.get(older) ?? null) === null)
          headers.set(older, value as never)
      }
    },
  }
}

/** The statuses of an action that have no body in the newer version: 204, or 200 if it became 204. Their schema may be `z.void()`. */
export const voidStatusesOf = (options: Readonly<Record<string, unknown>>): readonly string[] =>
  [204, 205, 304].map((status) => String(translationOf(options).head?.statusOf(status) ?? status))
