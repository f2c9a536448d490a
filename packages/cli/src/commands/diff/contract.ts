import { type CompareOptions, type DiffFinding, compareDocuments } from '@hv/openapi-diff'
import { type Io, UsageError, showProgress } from '../../output.ts'
import type { Contracts } from '../../project/documents.ts'
import { changesBetween, examplesOf } from './examples.ts'

/** A difference in a request or a response, in words for clients, with code in backquotes. */
export interface Difference {
  /** `GET /users/{id}`, or `every operation` */
  readonly operation: string
  readonly direction: DiffFinding['direction']
  readonly text: string
}

export type Contract = ReturnType<typeof compareContracts>

/** What a client finds that moves from one version to another, as far as documents, changes and recordings show it. */
export function compareContracts(
  io: Io,
  { documents, changes, recordings }: Contracts,
  from: number,
  to: number,
  options: CompareOptions,
) {
  const [before, after] = [from, to].map((version) => {
    const document = documents[version]
    if (document === undefined) throw new UsageError(`the documents have no version ${version}.`)
    return document
  })
  showProgress(io, `Comparing the documents of versions ${from} and ${to} …`)
  const later = asVersion(after!, to, from)
  const findings = compareDocuments(before!, later, options)
  const fieldOf = ({ operation, where, field }: DiffFinding): string =>
    `${operation} ${where} ${field}`
  const required = new Set(findings.filter(({ kind }) => kind === 'missing').map(fieldOf))
  // A field that's gone on the way back is new. One that only the older version requires of a request isn't.
  const added = compareDocuments(later, before!).filter((finding) =>
    finding.direction === 'request'
      ? finding.kind === 'gone' && !required.has(fieldOf(finding))
      : finding.kind === 'gone' || finding.kind === 'missing',
  )
  showProgress(io)
  /** What is in `findings`, and the fields that are new. */
  const differences: readonly Difference[] = [
    ...inWords(findings, 'is gone', 'is required now'),
    ...inWords(added, 'is new', 'is new'),
  ]
  return {
    changes: changesBetween(changes, from, to),
    findings,
    differences,
    examples: examplesOf(recordings, from, to),
  }
}

/** The number of the version is in every media type, and in the API-Version header. No client is surprised by that. */
function asVersion(document: object, version: number, other: number): object {
  const text = JSON.stringify(document).replaceAll(
    new RegExp(`;version=${version}(?!\\d)`, 'g'),
    `;version=${other}`,
  )
  return JSON.parse(text, (key, value: unknown) =>
    key === 'API-Version' && typeof value === 'object' && value !== null
      ? { ...value, schema: { type: 'integer', const: other } }
      : value,
  ) as object
}

const inWords = (
  findings: readonly DiffFinding[],
  gone: string,
  required: string,
): readonly Difference[] =>
  findings
    .filter(({ code }) => code !== 'lost-operation')
    .map(({ operation, direction, message, where, field, kind, reason }) => {
      if (!field) return { operation, direction, text: message }
      const missing = direction === 'request' ? required : gone
      const words = kind === 'gone' ? gone : kind === 'missing' ? missing : reason
      return { operation, direction, text: `${where} ${inCode(field)} ${words}` }
    })

/** `/items/*` → `` `items[]` `` */
function inCode(field: string): string {
  const path = field.slice(1).replaceAll(/(?:^|\/)\*/g, '[]')
  return `\`${path.replaceAll('/', '.')}\``
}
