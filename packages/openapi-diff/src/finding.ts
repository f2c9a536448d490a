import type { Json } from './json.ts'
import type { Node } from './operations/list-operations.ts'
import type { MeansTheSame } from './schemas/intern.ts'
import type { Direction } from './schemas/gap.ts'
import type { Gap } from './schemas/gap.ts'

/** A change that can break a client of the older document. */
export interface DiffFinding {
  readonly code: keyof typeof remedies
  /**
   * `error` if a client that kept to the older document can fail. `warning` for what breaks few
   * clients: a new value in a response's enum, a different default, a request's field that's
   * ignored from now on.
   */
  readonly severity: 'error' | 'warning'
  /**
   * The comparison can't decide whether the change breaks clients. Its code is `unclear-change`.
   */
  readonly unclear?: true
  /** `GET /users/{id}`, `webhook userCreated: POST`, or `every operation` */
  readonly operation: string
  /** Who sends what the finding is about: the client (`request`) or the API (`response`). */
  readonly direction: Direction
  /** JSON Pointer (RFC 6901) into the older document. Null for what only the newer one has. */
  readonly before: string | null
  /** JSON Pointer into the newer document. Null for what's gone. */
  readonly after: string | null
  /** `status 200: /username may be null, which isn't string` */
  readonly message: string
  /**
   * The part of the operation: `status 200:`, `query parameter limit`. Empty for the operation
   * itself.
   */
  readonly where: string
  /**
   * JSON Pointer into the value: `/items/*`, or '' for the value itself. Only for differences
   * between schemas.
   */
  readonly field?: string
  /** What happened there: `may be null, which isn't string` */
  readonly reason: string
  /** The kinds of changes that a program may want to tell apart. */
  readonly kind?: NonNullable<Gap['kind']>
  /**
   * What several operations have in common: `User/name may be null, which isn't string`. Otherwise
   * the message.
   */
  readonly cause: string
  /** The older document's reference to the cause: `#/components/schemas/User`. If there's one. */
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

interface Reported extends Pick<DiffFinding, 'code' | 'direction' | 'where' | 'reason'> {
  readonly before: Node | null
  readonly after: Node | null
  readonly severity?: DiffFinding['severity']
  readonly field?: string
  readonly kind?: Gap['kind']
  readonly component?: Gap['component']
  /** @default the component's cause, or else the message */
  readonly cause?: string
}

/** Creates the function that completes an operation's findings. */
export function createReport(operation: string) {
  return (reported: Reported): DiffFinding => {
    const { code, severity, direction, before, after, where, field, reason } = reported
    const { kind, component, cause } = reported
    const message = [where, subjectOf(where, field), reason].filter((part) => part !== '').join(' ')
    // There may be hundreds of thousands of findings, and objects that start with the same keys
    // need less memory.
    const finding: { -readonly [Key in keyof DiffFinding]: DiffFinding[Key] } = {
      code,
      severity: severity ?? (code === 'changed-default' ? 'warning' : 'error'),
      operation,
      direction,
      before: before && before.pointer,
      after: after && after.pointer,
      message,
      where,
      reason,
      cause: cause ?? component?.cause ?? message,
      remedy: remedies[code],
    }
    if (field !== undefined) finding.field = field
    if (kind !== undefined) finding.kind = kind
    if (component) finding.component = component.ref
    if (code === 'unclear-change') finding.unclear = true
    return finding
  }
}

/** What a difference between schemas is about, in words: a field's path, or the whole body. */
function subjectOf(where: string, field: string | undefined): string {
  if (field !== '') return field ?? ''
  if (where === 'body:') return 'it'
  return where.endsWith(':') ? 'the body' : ''
}

/**
 * Two schemas to compare. All of a document's are compared at once, because most operations share
 * components.
 */
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
  /**
   * Who sends the operation's requests. For a webhook that's the API, so its requests are judged as
   * `response`.
   */
  readonly request: Direction
  readonly response: Direction
}

/** A part of an operation in both documents. */
export interface Place {
  /** Who sends it. */
  readonly direction: Direction
  readonly before: Node
  readonly after: Node
  /** `body`, `status 200`, `query parameter limit`; with a colon for a body's schema */
  readonly where: string
}

/** Asks how the schemas of a part differ. */
export function compareSchemas(
  before: unknown,
  after: unknown,
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
    const isWarning = !isUnclear && (kind === 'default' || isMinor === true || isNewValue(gap))
    const severity = isWarning ? 'warning' : 'error'
    return report({ ...place, code, severity, field: at, reason: why, kind, component })
  }

  function findingsOf(gaps: readonly Gap[]): readonly DiffFinding[] {
    return (openEnums ? gaps.filter((gap) => !isNewValue(gap)) : gaps).map(findingOf)
  }
  return [
    isRequest
      ? { direction, sent: before, read: after, findingsOf }
      : { direction, sent: after, read: before, findingsOf },
  ]
}
