// Findings that somebody has accepted, with a reason: the lock file keeps them.
import { createHash } from 'node:crypto'
import { groupBy } from '../../group-by.ts'
import { UsageError } from '../../output.ts'
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

/** The same for all findings of one cause, however many operations they are in, and in every run. */
const fingerprintOf = ({ code, direction, cause, message }: Finding): string =>
  createHash('sha256')
    .update([code, direction, cause ?? message].join('\n'))
    .digest('hex')
    .slice(0, 8)

/** Gives each finding its fingerprint, turns accepted ones into notes, and reports acceptances that match nothing. */
export function applyAcceptances(findings: readonly Finding[], acceptances: Acceptances): readonly Finding[] {
  const isNotCompared = ({ code }: Finding): boolean => code === 'documents-not-compared'
  const marked = findings.map((finding): Finding => {
    if (isNotCompared(finding)) return finding
    const fingerprint = fingerprintOf(finding)
    const { operations = [], reason = '', date = '' } = acceptances[fingerprint] ?? {}
    const isAccepted = finding.operation === undefined || operations.includes(finding.operation)
    if (date === '' || !isAccepted) return { ...finding, fingerprint }
    return { ...finding, fingerprint, level: 'note', accepted: { reason, date } }
  })
  if (marked.some(isNotCompared)) return marked
  const matched = new Set(marked.flatMap(({ accepted, fingerprint }) => (accepted ? [fingerprint] : [])))
  const stale = Object.entries(acceptances).flatMap(([fingerprint, { finding }]) => {
    const message = `${fingerprint} (${finding}) is accepted, but no longer found. Remove it from the lock file`
    return matched.has(fingerprint) ? [] : [warning('stale-acceptance', message)]
  })
  return [...marked, ...stale]
}

/** Accepts all findings that have one of some fingerprints. */
export function accept(
  findings: readonly Finding[],
  acceptances: Acceptances,
  fingerprints: readonly string[],
  reason: string,
  now: number,
): Acceptances {
  const groups = groupBy(findings, ({ fingerprint }) => fingerprint)
  const accepted = fingerprints.map((fingerprint) => {
    const group = groups.get(fingerprint)
    if (group === undefined)
      throw new UsageError(
        `no finding has the fingerprint ${fingerprint}. Copy it from the line of the finding, and repeat the options of that check, such as --documents.`,
      )
    const [{ code, cause, message }] = group
    const before = acceptances[fingerprint]?.operations ?? []
    const operations = [...new Set([...before, ...group.flatMap(({ operation }) => operation ?? [])])].toSorted()
    const date = dateOf(now).slice(0, 10)
    return [fingerprint, { finding: `${code}: ${cause ?? message}`, operations, reason, date }] as const
  })
  return { ...acceptances, ...Object.fromEntries(accepted) }
}
