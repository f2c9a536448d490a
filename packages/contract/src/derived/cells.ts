// The table: what a handler sends, with which status, to which method, and what changed since the older version.
import { type Step, became, headerBecame, statusBecame } from '@hv/router'

/** How a handler sends a response. */
export const ways = [
  'nothing',
  'object',
  'text',
  'bytes',
  'stream',
  'web stream',
  'Response',
  'file',
  'error',
  'hijack',
  'write',
] as const
export type Way = (typeof ways)[number]

/** What a handler is told to send. */
export interface Message {
  readonly way: Way
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The text of the body. An object's is its JSON. */
  readonly text: string
}

export interface Cell {
  readonly way: Way
  readonly isJson: boolean
  readonly change: string
  readonly status: number
  readonly method: 'GET' | 'HEAD'
}

/** What an older client gets: the same as from a native handler that sends this, or a refusal. */
export type Expected = Message | 'refused'

export const statuses = [200, 201, 204, 205, 304, 404, 410] as const
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])
export const hasNoBody = (status: number): boolean => bodiless.has(status)

export const newerUser = '{"fullName":"Dora"}'
export const olderUser = '{"name":"Dora"}'
export const plainText = 'Dora'

export const about = 'A user has a full name.'
const down = ({ fullName: name }: any): any => ({ name })

/** A change, as the only one of an action. */
interface ChangeRow {
  readonly steps: (only: readonly string[], older: any, newer: any) => readonly Step[]
  /** What the older version's own handler would send. */
  readonly older: (newer: Message, isUser: boolean, readsStreams: boolean) => Expected
}

const renamed = ({ headers, ...newer }: Message, to: string | null): Message => {
  const { 'x-newer': value, ...others } = headers
  return { ...newer, headers: to === null ? others : { ...others, [to]: value! } }
}

/** Whether the response is sent before all of its body is known. */
const isStreamed = ({ way }: Message): boolean =>
  ['stream', 'web stream', 'Response', 'file', 'write'].includes(way)

/** Whether it's sent as text, whose ETag the router can't know after a conversion. */
export const isSerialized = ({ way }: Message): boolean => ['text', 'bytes', 'hijack'].includes(way)

const userBecame = (status?: number): ChangeRow => ({
  steps: (only, older, newer) => [
    became(older, newer, { down, only, ...(status !== undefined && { status }) }),
  ],
  older: (newer, isUser, readsStreams) => {
    if (!isUser) return newer
    if (isStreamed(newer) && !readsStreams) return 'refused'
    return { ...newer, text: olderUser, status: status ?? newer.status }
  },
})

const statusWas = (status: number): ChangeRow => ({
  steps: (only) =>
    statuses
      .filter((newer) => newer !== status)
      .map((newer) => statusBecame(status, newer, { only })),
  older: (newer) => ({ ...newer, status }),
})

export const changes: Readonly<Record<string, ChangeRow>> = {
  none: { steps: () => [], older: (newer) => newer },
  'X-Older became X-Newer': {
    steps: (only) => [headerBecame('X-Older', 'X-Newer', { only })],
    older: (newer) => renamed(newer, 'x-older'),
  },
  'X-Newer is new': {
    steps: (only) => [headerBecame(null, 'X-Newer', { only })],
    older: (newer) => renamed(newer, null),
  },
  'the status was 200': statusWas(200),
  'the status was 204': statusWas(204),
  'the status was 205': statusWas(205),
  'the status was 304': statusWas(304),
  'the status was 410': statusWas(410),
  'the user became': userBecame(),
  'the user became, and was a 404': userBecame(404),
  'the user became, and was a 204': userBecame(204),
}

/** The name of a change's action. */
export const actionOf = (change: string): string => `change${Object.keys(changes).indexOf(change)}`

export const etag = '"1"'
const types = { json: 'application/json; charset=utf-8', text: 'text/plain; charset=utf-8' }

/** What the newest version's handler sends. */
export function newerOf({ way, isJson, status }: Cell): Message {
  const type = isJson ? types.json : types.text
  const isTyped = way !== 'nothing' && way !== 'object' && way !== 'error'
  const headers = { 'x-newer': 'yes', ...(isTyped && { 'content-type': type, etag }) }
  const text = isJson ? newerUser : plainText
  return { way, status, headers, text: way === 'nothing' ? '' : text }
}

/** Whether an action can have both. The older schema of a 204 would be that of a user. */
export const isPossible = ({ change, status }: Cell): boolean =>
  !(change.endsWith('was a 204') && status === 204)

export const olderOf = (cell: Cell, readsStreams: boolean): Expected => {
  const isUser = cell.isJson && !hasNoBody(cell.status)
  return changes[cell.change]!.older(newerOf(cell), isUser, readsStreams)
}

/** Whether the newer body is dropped: if the status was one without a body, or became one. */
export const isDropped = (newer: Message, older: Message): boolean =>
  newer.status !== older.status && (hasNoBody(newer.status) || hasNoBody(older.status))

/** The table's rows, each with a cell per status and method. */
export const rows: readonly (readonly Cell[])[] = ways.flatMap((way) => {
  const contents =
    way === 'nothing' ? [false] : way === 'object' || way === 'error' ? [true] : [false, true]
  return contents.flatMap((isJson) =>
    Object.keys(changes).map((change) =>
      statuses.flatMap((status) =>
        (['GET', 'HEAD'] as const)
          .map((method): Cell => ({ way, isJson, change, status, method }))
          .filter(isPossible),
      ),
    ),
  )
})
