// Findings that somebody has accepted, with a reason: the lock file keeps them.
import { createHash } from 'node:crypto'
import { UsageError, listed } from '../../output.ts'
import { dateOf } from '../../route-file/lives.ts'
import { type Finding, warning } from './finding.ts'

/** Why a finding no longer fails the check. */
export interface Acceptance {
  /** What was accepted, for those who review the lock file. */
  readonly finding: string
  /** Where. The same finding in another operation is reported. Empty when it isn't about a document. */
  readonly operations: readonly string[]
  readonly reason: string
  /** `2027-03-01` */
  readonly date: string
}

/** By fingerprint. */
export type Acceptances = Readonly<Record<string, Acceptance>>

export const areAcceptances = (value: unknown): value is Acceptances =>
  Object.values((value ?? {}) as Readonly<Record<string, Partial<Acceptance> | null>>).every(
    (one) => Array.isArray(one?.operations) && typeof one.reason === 'string' && typeof one.date === 'string',
  )

/** The same for all findings of one cause, however many operations they are in, and in every run. */
const fingerprintOf = ({ code, direction, cause, message }: Finding): string =>
  createHash('sha256')
    .update([code, direction, cause ?? message].join('\n'))
    .digest('hex')
    .slice(0, 8)

/** Gives each finding its fingerprint, turns accepted ones into notes, and reports acceptances that match nothing. */
export function applyAcceptances(findings: readonly Finding[], acceptances: Acceptances): readonly Finding[] {
  const marked = findings.map((finding): Finding => {
    if (finding.code === 'documents-not-compared') return finding
    const fingerprint = fingerprintOf(finding)
    const { operations = [], reason = '', date = '' } = acceptances[fingerprint] ?? {}
    const isAccepted = finding.operation === undefined || operations.includes(finding.operation)
    if (date === '' || !isAccepted) return { ...finding, fingerprint }
    return { ...finding, fingerprint, level: 'note', accepted: { reason, date } }
  })
  if (marked.some(({ code }) => code === 'documents-not-compared')) return marked
  const matched = new Set(marked.flatMap(({ accepted, fingerprint }) => (accepted ? [fingerprint] : [])))
  const stale = Object.entries(acceptances).filter(([fingerprint]) => !matched.has(fingerprint))
  return [
    ...marked,
    ...stale.map(([fingerprint, { finding }]) =>
      warning(
        'stale-acceptance',
        `${fingerprint} (${finding}) is accepted, but no longer found. Remove it from the lock file`,
      ),
    ),
  ]
}

/** Accepts all findings that have one of some fingerprints. */
export function accept(
  findings: readonly Finding[],
  acceptances: Acceptances,
  fingerprints: readonly string[],
  reason: string,
  now: number,
): Acceptances {
  const accepted: Record<string, Acceptance> = { ...acceptances }
  for (const fingerprint of fingerprints) {
    const chosen = findings.filter((finding) => finding.fingerprint === fingerprint)
    const [first] = chosen
    if (first === undefined) {
      const others = new Set(findings.flatMap((finding) => finding.fingerprint ?? []))
      const hint =
        others.size === 0
          ? 'Pass --documents again if the finding is about them'
          : `Fingerprints: ${listed([...others])}`
      throw new UsageError(`no finding has the fingerprint ${fingerprint}. ${hint}.`)
    }
    const operations = [
      ...(accepted[fingerprint]?.operations ?? []),
      ...chosen.flatMap(({ operation }) => operation ?? []),
    ]
    accepted[fingerprint] = {
      finding: `${first.code}: ${first.cause ?? first.message}`,
      operations: [...new Set(operations)].toSorted(),
      reason,
      date: dateOf(now).slice(0, 10),
    }
  }
  return accepted
}
