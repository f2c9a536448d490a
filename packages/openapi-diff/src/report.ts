import type { FindGaps } from './find-gaps.ts'
import type { MeansTheSame } from './intern.ts'
import type { Json } from './json.ts'
import type { Direction } from './rules.ts'
import type { Gap } from './value-gaps.ts'

/** A promise of a released document that the current one does not keep. */
export interface ContractFinding {
  readonly code: keyof typeof remedies
  /** `warning` for what breaks few clients: one more value of an enum in a response, another default. */
  readonly severity: 'error' | 'warning'
  /** `GET /users/{id}`, `webhook userCreated: POST`, or `every operation` */
  readonly operation: string
  /** Who sends what the finding is about: the client (`request`) or the API (`response`). */
  readonly direction: Direction
  /** JSON Pointer (RFC 6901) into the released document; into the current one for what is new there. */
  readonly pointer: string
  /** `status 200: /username may be null, which is not string` */
  readonly message: string
  /** What several operations have in common: `User/name may be null, which is not string`. Else the message. */
  readonly cause: string
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
  'unclear-change': 'Check that released clients still work, then update the lock file.',
} as const

export type Report = ReturnType<typeof createReport>

export const createReport =
  (operation: string) =>
  (
    code: ContractFinding['code'],
    direction: Direction,
    pointer: string,
    message: string,
    cause: string = message,
  ): ContractFinding => ({
    code,
    severity: code === 'changed-default' ? 'warning' : 'error',
    operation,
    direction,
    pointer,
    message,
    cause,
    remedy: remedies[code],
  })

/** Two documents, and what compares an operation of theirs. */
export interface Comparison {
  readonly released: Json
  readonly current: Json
  readonly findGaps: Readonly<Record<Direction, FindGaps>>
  readonly report: Report
  readonly openEnums: boolean
  readonly meansTheSame: MeansTheSame
  /** Who sends the requests of the operation. For a webhook, what OpenAPI calls its request is a `response`. */
  readonly request: Direction
  readonly response: Direction
}

/** What is compared. */
export interface Place {
  /** Who sends it. */
  readonly direction: Direction
  /** JSON Pointer into the released document. */
  readonly pointer: string
  /** `body`, `status 200`, `query parameter limit`; with a colon for the schema of a body */
  readonly where: string
}

export function compareSchemas(
  was: unknown,
  is: unknown,
  place: Place,
  comparison: Comparison,
): readonly ContractFinding[] {
  const { direction, pointer, where } = place
  const { findGaps, report, openEnums } = comparison
  const gaps = direction === 'request' ? findGaps.request(was, is) : findGaps.response(is, was)
  const isNewValue = ({ kind }: Gap): boolean => direction === 'response' && kind === 'new-value'
  const root = where === 'body:' ? ' it' : where.endsWith(':') ? ' the body' : ''
  const counted = openEnums ? gaps.filter((found) => !isNewValue(found)) : gaps
  const findings = counted.map((found): ContractFinding => {
    const { at, why, judged, kind, component } = found
    const finding = report(
      kind === 'default' ? 'changed-default' : judged ? codesOf[direction] : 'unclear-change',
      direction,
      pointer,
      `${where}${at === '' ? root : ` ${at}`} ${why}`,
      component ? `${component} ${why}` : undefined,
    )
    return judged && isNewValue(found) ? { ...finding, severity: 'warning' } : finding
  })
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()]
}

const codesOf = { request: 'request-narrowed', response: 'response-widened' } as const
