import { type Json, decode, stepsOf } from './json.ts'
import type { MeansTheSame } from './schemas/intern.ts'
import type { Direction } from './schemas/sides.ts'
import type { Component, Gap } from './schemas/gap.ts'

/** A change that can break a client of the older document. */
export interface DiffFinding {
  readonly code: keyof typeof remedies
  /**
   * `error` if a client that kept to the older document can fail. `warning` for what breaks few clients: a new value in a
   * response's enum, a different default, a request's field that's ignored from now on.
   */
  readonly severity: 'error' | 'warning'
  /** The comparison can't decide whether the change breaks clients. Its code is `unclear-change`. */
  readonly unclear?: true
  /** `GET /users/{id}`, `webhook userCreated: POST`, or `every operation` */
  readonly operation: string
  /** Who sends what the finding is about: the client (`request`) or the API (`response`). */
  readonly direction: Direction
  /** JSON Pointer (RFC 6901) into the older document. Null for what only the newer one has. */
  readonly before: string | null
  /** JSON Pointer into the newer document. Null for what's gone. */
  readonly after: string | null
  /** `status 200: /username may be null, which is not string` */
  readonly message: string
  /** The part of the operation: `status 200:`, `query parameter limit`. Empty for the operation itself. */
  readonly where: string
  /** JSON Pointer into the value: `/items/*`, or '' for the value itself. Only for differences between schemas. */
  readonly field?: string
  /** What happened there: `may be null, which is not string` */
  readonly reason: string
  /** The kinds of changes that a program may want to tell apart. */
  readonly kind?: NonNullable<Gap['kind']>
  /** What several operations have in common: `User/name may be null, which is not string`. Otherwise the message. */
  readonly cause: string
  /** The reference that leads to the cause: `#/components/schemas/User`. Only if there's one. */
  readonly component?: string
  /** What the API's developer can do about it. */
  readonly remedy: string
}

const remedies = {
  'lost-operation': 'Keep the operation in this version, or remove it in a new version.',
  'lost-status': 'Respond with the released status.',
  'lost-media-type': 'Keep the media type.',
  'lost-header': 'Keep the header.',
  'lost-parameter': 'Keep the parameter.',
  'lost-server': 'Keep the server, or redirect its clients.',
  'new-requirement': 'Make it optional, or require it in a new version.',
  'changed-default': 'Keep the default.',
  'request-narrowed': 'Accept what was accepted before, or change the schema in a new version.',
  'response-widened': 'Respond with what was released, or change the schema in a new version.',
  'unclear-change': 'Check that clients of the older document still work.',
} as const

export const codes = Object.keys(remedies) as readonly DiffFinding['code'][]

export type Report = ReturnType<typeof createReport>

type Reported = Pick<DiffFinding, 'code' | 'direction' | 'before' | 'after' | 'where' | 'reason'> &
  Partial<Pick<DiffFinding, 'severity' | 'field' | 'kind' | 'cause' | 'component'>>

/** Creates the function that completes an operation's findings. */
export function createReport(operation: string) {
  return (reported: Reported): DiffFinding => {
    const { code, where, field, reason } = reported
    const message = [where, subjectOf(where, field), reason].filter((part) => part !== '').join(' ')
    return {
      severity: code === 'changed-default' ? 'warning' : 'error',
      cause: message,
      ...(code === 'unclear-change' && { unclear: true as const }),
      ...reported,
      operation,
      message,
      remedy: remedies[code],
    }
  }
}

/** What a difference between schemas is about, in words: a field's path, or the whole body. */
function subjectOf(where: string, field: string | undefined): string {
  if (field !== '') return field ?? ''
  if (where === 'body:') return 'it'
  return where.endsWith(':') ? 'the body' : ''
}

/** Two schemas to compare. All of a document's are compared at once, because most operations share components. */
export interface Question {
  readonly direction: Direction
  readonly sent: unknown
  readonly read: unknown
  /** What the gaps between the two schemas mean for the operation. */
  readonly findingsOf: (gaps: readonly Gap[]) => readonly DiffFinding[]
}

/** What's certain already, and what depends on a comparison of schemas. */
export type Findings = readonly (DiffFinding | Question)[]

export const isQuestion = (entry: DiffFinding | Question): entry is Question =>
  'findingsOf' in entry

/** What the comparison of one operation needs. */
export interface Comparison {
  readonly before: Json
  readonly after: Json
  readonly report: Report
  readonly openEnums: boolean
  readonly meansTheSame: MeansTheSame
  /** Who sends the operation's requests. For a webhook that's the API, so its requests are judged as `response`. */
  readonly request: Direction
  readonly response: Direction
}

/** A part of an operation. */
export interface Place {
  /** Who sends it. */
  readonly direction: Direction
  /** JSON Pointers into both documents. */
  readonly before: string
  readonly after: string
  /** `body`, `status 200`, `query parameter limit`; with a colon for a body's schema */
  readonly where: string
}

/** Asks how the schemas of a part differ. */
export function compareSchemas(
  schemas: readonly [before: unknown, after: unknown],
  place: Place,
  { report, openEnums }: Comparison,
): Findings {
  const { direction } = place
  const isRequest = direction === 'request'
  const isNewValue = ({ kind }: Gap): boolean => !isRequest && kind === 'new-value'

  function findingOf(gap: Gap): DiffFinding {
    const { at, why, isUnclear, isMinor, kind, component } = gap
    const judged = isRequest ? 'request-narrowed' : 'response-widened'
    const code = isUnclear ? 'unclear-change' : kind === 'default' ? 'changed-default' : judged
    const isWarning = code !== 'unclear-change' && (isMinor === true || isNewValue(gap))
    return report({
      ...place,
      code,
      field: at,
      reason: why,
      ...(kind !== undefined && { kind }),
      ...(isWarning && { severity: 'warning' }),
      ...(component && { cause: causeOf(component, why), component: component.ref }),
    })
  }

  function findingsOf(gaps: readonly Gap[]): readonly DiffFinding[] {
    const counted = openEnums ? gaps.filter((gap) => !isNewValue(gap)) : gaps
    const findings = counted.map(findingOf)
    return [...new Map(findings.map((finding) => [finding.message, finding])).values()]
  }
  const [before, after] = schemas
  return [
    isRequest
      ? { direction, sent: before, read: after, findingsOf }
      : { direction, sent: after, read: before, findingsOf },
  ]
}

/** @example User/name may be null */
function causeOf({ ref, at }: Component, why: string): string {
  // The properties 0, 1, 2 of an object are a list to everybody but its schema.
  const path = at.replaceAll(/\/\d+(?=\/|$)/g, '/*')
  return `${nameOf(ref)}${path} ${why}`
}

/** What a reference is called: by its last component or property, or else by its operation. */
function nameOf(ref: string): string {
  const steps = stepsOf(decode(ref.slice(ref.indexOf('#') + 1)))
  const property = steps.findLastIndex((step, index) => step === 'properties' && index > 0)
  if (steps[property + 1] !== undefined && property > 0) return steps[property + 1]!
  if (steps[0] === 'components' && steps[2] !== undefined) return steps[2]
  const file = steps[0] === 'x-files' ? /([^/]+?)(?:\.\w+)?$/.exec(steps[1] ?? '')?.[1] : undefined
  if (steps.length === 2 && file !== undefined) return file
  if (steps[0] === 'paths' && steps[2] !== undefined) return `${steps[2].toUpperCase()} ${steps[1]}`
  return steps.at(-1) ?? ref
}
