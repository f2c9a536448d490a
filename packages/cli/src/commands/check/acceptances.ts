// Findings that somebody has accepted, with a reason: the lock file keeps them.
import { createHash } from 'node:crypto'
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

const isNotCompared = ({ code }: Finding): boolean => code === 'documents-not-compared'

/** The fingerprint is the same for all findings of one cause, however many operations they are in, and in every run. */
export function withFingerprint(finding: Finding): Finding {
  if (isNotCompared(finding)) return finding
  const { code, direction, cause, message } = finding
  const text = [code, direction, cause ?? message].join('\n')
  return { ...finding, fingerprint: createHash('sha256').update(text).digest('hex').slice(0, 8) }
}

/** Turns accepted findings into notes, and reports acceptances that match nothing. */
export function applyAcceptances(
  findings: readonly Finding[],
  acceptances: Acceptances,
): readonly Finding[] {
  const matched = new Set<string>()
  const marked = findings.map((finding): Finding => {
    const { fingerprint = '', operation } = finding
    const acceptance = acceptances[fingerprint]
    if (acceptance === undefined) return finding
    const { operations, reason, date } = acceptance
    if (operation !== undefined && !operations.includes(operation)) return finding
    matched.add(fingerprint)
    return { ...finding, level: 'note', accepted: { reason, date } }
  })
  if (findings.some(isNotCompared)) return marked
  const stale = Object.entries(acceptances).filter(([fingerprint]) => !matched.has(fingerprint))
  const messages = stale.map(
    ([fingerprint, { finding }]) =>
      `${fingerprint} (${finding}) is accepted, but no longer found. Remove it from the lock file`,
  )
  return [...marked, ...messages.map((message) => warning('stale-acceptance', message))]
}

/** Accepts all findings that have one of some fingerprints. */
export function accept(
  findings: readonly Finding[],
  acceptances: Acceptances,
  fingerprints: readonly string[],
  reason: string,
  now: number,
): Acceptances {
  const accepted = fingerprints.map((fingerprint) => {
    const group = findings.filter((finding) => finding.fingerprint === fingerprint)
    if (group[0] === undefined)
      throw new UsageError(
        `no finding has the fingerprint ${fingerprint}. Copy it from the line of the finding, and repeat the options of that check, such as --documents.`,
      )
    const { code, cause, message } = group[0]
    const before = acceptances[fingerprint]?.operations ?? []
    const operations = [
      ...new Set([...before, ...group.flatMap(({ operation }) => operation ?? [])]),
    ].toSorted()
    return [
      fingerprint,
      {
        finding: `${code}: ${cause ?? message}`,
        operations,
        reason,
        date: dateOf(now).slice(0, 10),
      },
    ]
  })
  return { ...acceptances, ...Object.fromEntries(accepted) }
}
