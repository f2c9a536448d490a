import { type Convert, type OlderHead, convertAll } from './convert.ts'
import type { Plan, RequestPart, RequestStep } from './plan.ts'

const bodilessStatuses = [204, 205, 304]

/** Whether responses with this status have no body (RFC 9110, section 6.4.1). Node also takes text. */
export const isBodiless = (status: number): boolean => bodilessStatuses.includes(Number(status))

/** How an action of an older version is served with the action of a newer one. */
export interface Translation {
  /** The steps from the oldest version to the newest, for each part of the request that changed. */
  readonly request: Readonly<Partial<Record<RequestPart, readonly RequestStep[]>>>
  /** Whether any response's body changes. */
  readonly changesBodies: boolean
  /** Whether any response's status or headers change, whatever its body is. */
  readonly changesHeads: boolean
  /**
   * Converts a response's body, and sets the headers that older responses have.
   *
   * @returns the older body, and the older response's status
   */
  readonly respond: (status: number, body: unknown, setHeader: SetHeader) => OlderResponse
  /** The change that converts the bodies of responses with this status, or null. */
  readonly changeOf: (status: number) => string | null
  /** Returns the older response's status. With 204, 205 or 304, it has no body. */
  statusOf(status: number): number
  /** Renames and removes headers. If the handler has set an older header itself, that one stays. */
  renameHeaders(headers: MutableHeaders): void
}
type SetHeader = (name: string, value: string) => void

/** A response as an older client sees it. */
export interface OlderResponse<Body = unknown> {
  readonly status: number
  readonly body: Body
}

/** A response's headers, in any framework. The fetch API's `Headers` are such an object. */
export interface MutableHeaders {
  get(name: string): unknown
  set(name: string, value: never): void
  delete(name: string): void
}

/** It's enumerable, so copies of a derived action keep it. */
export const kHistory = Symbol.for('@hv/router.history')
/** The steps that were undone to derive an action, the latest first. */
export const historyOf = (action: unknown): readonly Plan[] =>
  (action as { readonly [kHistory]?: readonly Plan[] })[kHistory] ?? []

/**
 * Returns how an action's requests and responses are converted. If `before` didn't derive the
 * action, nothing is converted.
 *
 * @param options - the action's options
 */
export function translationOf(options: object): Translation {
  const history = historyOf(options)
  const request: Partial<Record<string, RequestStep[]>> = {}
  for (const plan of history.toReversed())
    for (const [part, step] of Object.entries(plan.request ?? {})) (request[part] ??= []).push(step)
  const changeOf = (status: number): string | null => {
    let older = status
    for (const plan of history) {
      if ((entryOf(plan.response, older) ?? []).length > 0) return plan.down!.about
      older = olderStatus(plan, older)
    }
    return null
  }
  const renamed = history.flatMap(({ header }) => header ?? [])
  return {
    request,
    changesBodies: history.some(({ down }) => down !== undefined),
    changesHeads: renamed.length > 0 || history.some(({ status }) => status !== undefined),
    respond: respondWith(history),
    changeOf,
    statusOf: (status) => history.reduce((now, plan) => olderStatus(plan, now), status),
    renameHeaders(headers) {
      for (const { older, newer } of renamed) {
        const value = headers.get(newer) ?? null
        if (value === null) continue
        headers.delete(newer)
        if (older !== null && (headers.get(older) ?? null) === null)
          headers.set(older, value as never)
      }
    },
  }
}

/** The entry for responses with this status. If it means that there's no body, nothing's converted. */
const entryOf = <Entry>(
  response: Readonly<Record<string, Entry>> = {},
  status: number,
): Entry | undefined =>
  isBodiless(status)
    ? undefined
    : (response[status] ?? response[`${String(status)[0]}xx`] ?? response['default'])

function respondWith(plans: readonly Plan[]): Translation['respond'] {
  // Requests and the names of headers are converted elsewhere.
  const converting = plans.filter(({ down, status }) => down !== undefined || status !== undefined)
  const stages = joinPlans(converting).map((group) => {
    const [plan] = group
    const conversions = group.flatMap(({ down }) => down ?? [])
    const response: Record<string, Convert> = {}
    for (const [status, paths] of Object.entries(plan.response ?? {}))
      response[status] = convertAll(paths, conversions)
    return { plan, response }
  })
  return (status, newer, setHeader) => {
    const head: OlderHead = { status, headers: [] }
    let body = newer
    for (const { plan, response } of stages) {
      const convert = entryOf(response, head.status)
      if (convert) body = convert(body, head)
      head.status = olderStatus(plan, head.status)
    }
    for (const [name, value] of head.headers) setHeader(name, value)
    return { status: head.status, body }
  }
}

/** Groups consecutive plans that convert the same values. */
function joinPlans(plans: readonly Plan[]): readonly [Plan, ...Plan[]][] {
  const groups: [Plan, ...Plan[]][] = []
  for (const plan of plans) {
    const group = groups.at(-1)
    if (plan.places !== undefined && plan.places === group?.[0].places) group.push(plan)
    else groups.push([plan])
  }
  return groups
}

const olderStatus = ({ status: became }: Plan, status: number): number =>
  became?.newer === Number(status) ? became.older : status

/**
 * Whether a conversion drops the body: if the status was one without a body, or became one. If it
 * stays the same, the response is the framework's concern.
 */
export const dropsBody = (newer: number, older: number): boolean =>
  newer !== older && (isBodiless(newer) || isBodiless(older))

/**
 * Renames an older response's headers. If the body is dropped, it also removes the headers that
 * describe one.
 *
 * @param translation - what converts the version's responses
 * @param newer - the status that the handler sent
 * @param older - the older response's status
 * @returns whether the older response has a body. If not, close the newer one's
 */
export function finishHead(
  translation: Translation,
  newer: number,
  older: number,
  headers: MutableHeaders,
): boolean {
  translation.renameHeaders(headers)
  if (!dropsBody(newer, older)) return true
  for (const name of ['content-type', 'transfer-encoding', 'content-length']) headers.delete(name)
  // Without a length, clients would wait for the body (RFC 9112, section 6.3).
  if (older !== 204 && older !== 304) headers.set('content-length', '0' as never)
  return false
}

/**
 * The older version's names for 204, 205 and 304, with which an action sends no body: 200 instead
 * of 204, if the older 200 became 204. The schema of such a response may be `z.void()`, which has
 * no JSON Schema.
 */
export const voidStatusesOf = (options: Readonly<Record<string, unknown>>): readonly string[] =>
  bodilessStatuses.map((status) => String(translationOf(options).statusOf(status)))

/**
 * What converts an action's responses, without what converts its requests. It's for a framework
 * that validates requests itself.
 */
export const responsesOf = (action: unknown): object => ({
  [kHistory]: historyOf(action).map(({ request: _request, ...plan }) => plan),
})
