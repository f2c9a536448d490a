import type { Node } from './json.ts'
import type { MeansTheSame } from './schemas/intern.ts'
import type { Direction, Gap, SchemaQuestion } from './schemas/gap.ts'

/** A change that can break a client of the older document. */
export interface DiffFinding {
  readonly code: keyof typeof remedies
  /**
   * `error` if a client that follows the older document can fail. `warning` for changes that break
   * few clients: a new value in a response's enum, a different default, or a request field that's
   * ignored from now on.
   */
  readonly severity: 'error' | 'warning'
  /**
   * Set if the comparison can't tell whether the change breaks clients. The code is then
   * `unclear-change`.
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
   * The change that several operations may share: `User/name may be null, which isn't string`. If
   * there's none, it's the message.
   */
  readonly cause: string
  /** The cause's component in the older document, if there's one: `#/components/schemas/User`. */
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

/**
 * @param place - the part of the operation, and the operation's name
 * @param gap - the gap, if it's a difference between schemas
 */
export function findingOf(
  { operation, direction, before, after, where }: Place & { readonly operation: string },
  code: DiffFinding['code'],
  reason: string,
  { at: field, kind, isMinor, component }: Partial<Gap> = {},
): DiffFinding {
  const message = [where, subjectOf(where, field), reason].filter(Boolean).join(' ')
  // There may be hundreds of thousands of findings, and objects that start with the same keys need
  // less memory.
  const finding: { -readonly [Key in keyof DiffFinding]: DiffFinding[Key] } = {
    code,
    severity: isMinor ? 'warning' : 'error',
    operation,
    direction,
    before: before && before.pointer,
    after: after && after.pointer,
    message,
    where,
    reason,
    cause: component?.cause ?? (code === 'lost-operation' ? `${operation} is gone` : message),
    remedy: remedies[code],
  }
  if (field !== undefined) finding.field = field
  if (kind !== undefined) finding.kind = kind
  if (component) finding.component = component.ref
  if (code === 'unclear-change') finding.unclear = true
  return finding
}

/** The subject of a difference between schemas, in words: a field's path, or the whole body. */
function subjectOf(where: string, field: string | undefined) {
  if (field !== '') return field ?? ''
  if (where === 'body:') return 'it'
  return where.endsWith(':') ? 'the body' : ''
}

/** A part of an operation. */
export interface Place {
  /** Who sends it. */
  readonly direction: Direction
  /** Null if a document doesn't have it. */
  readonly before: Node | null
  readonly after: Node | null
  /** `body`, `status 200`, `query parameter limit`; with a colon for a body's schema */
  readonly where: string
}

/** A part that both documents have. */
export interface SharedPlace extends Place {
  readonly before: Node
  readonly after: Node
}

/**
 * Two schemas of an operation. All the questions of a document are answered together, because most
 * operations share components.
 */
export interface Question extends Place, SchemaQuestion {
  readonly operation: string
}

/** Turns the gaps between a question's schemas into findings about its operation. */
export function findingsOf(
  question: Question,
  gaps: readonly Gap[],
  openEnums: boolean,
): readonly DiffFinding[] {
  const isResponse = question.direction === 'response'
  const narrowed = isResponse ? 'response-widened' : 'request-narrowed'
  return gaps.flatMap((gap) => {
    const isNewValue = isResponse && gap.kind === 'new-value'
    if (isNewValue && openEnums) return []
    const kept = gap.kind === 'default' ? 'changed-default' : narrowed
    const code = gap.isUnclear ? 'unclear-change' : kept
    const isMinor = (gap.isMinor && !gap.isUnclear) || isNewValue
    return [findingOf(question, code, gap.why, { ...gap, isMinor })]
  })
}

/** What the comparison of one operation needs. */
export interface Comparison {
  readonly report: (
    place: Place,
    code: DiffFinding['code'],
    reason: string,
    isMinor?: boolean,
  ) => void
  /** Asks how the schemas of a part differ. */
  readonly compareSchemas: (question: Omit<Question, 'operation'>) => void
  readonly meansTheSame: MeansTheSame
  /**
   * Who sends the operation's requests. For a webhook that's the API, so its requests are judged as
   * `response`.
   */
  readonly request: Direction
  readonly response: Direction
}
