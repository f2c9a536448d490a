import {
  type CompareOptions,
  type DiffFinding,
  compareDocuments,
  upgradeGuide,
} from '@hv/openapi-diff'
import { UsageError } from '../../output.ts'
import type { Contracts } from '../../project/documents.ts'
import { isByName } from '../../project/json.ts'

/** The versions that a client moves between. */
export interface Move {
  readonly from: number
  readonly to: number
}

/** A difference in a request or a response, in words for clients, with code in backquotes. */
export interface Difference {
  /** `GET /users/{id}`, or `every operation` */
  readonly operation: string
  readonly direction: DiffFinding['direction']
  readonly text: string
}

/** What documents and changes show about two versions. */
export interface Contract {
  /** What the changes say, oldest first. */
  readonly changes: readonly string[]
  readonly findings: readonly DiffFinding[]
  /** What's in `findings`, and the fields that are new. */
  readonly differences: readonly Difference[]
  /** What clients have to change, as Markdown. */
  readonly guide: () => string
}

/** Compares what a client sends and gets before and after it moves to another version. */
export function compareContracts(
  { documents, changes }: Contracts,
  { from, to }: Move,
  options: CompareOptions,
): Contract {
  const documentOf = (version: number): object => {
    const document = documents[version]
    if (document !== undefined) return document
    throw new UsageError(`the documents don't include version ${version}.`)
  }
  const before = documentOf(from)
  const after = withVersion(documentOf(to), to, from)
  const findings = compareDocuments(before, after, options)
  const backwards = compareDocuments(after, before)

  // What's gone in the opposite direction is new, unless it's a field that requests have to contain
  // now, because `findings` already has that.
  const fieldOf = ({ operation, where, field }: DiffFinding): string =>
    `${operation} ${where} ${field}`
  const missing = new Set(findings.filter(({ kind }) => kind === 'missing').map(fieldOf))
  const added = backwards.filter((finding) =>
    finding.direction === 'request'
      ? finding.kind === 'gone' && !missing.has(fieldOf(finding))
      : finding.kind === 'gone' || finding.kind === 'missing',
  )
  const between = Object.keys(changes)
    .map(Number)
    .filter((version) => version >= from && version < to)
    .toSorted((a, b) => a - b)
  const lost = findings.filter(({ code }) => code !== 'lost-operation')
  return {
    changes: between.flatMap((version) => changes[version]!.map(({ about }) => about)),
    findings,
    differences: [
      ...lost.map((finding) => inWords(finding, 'is gone', 'is required now')),
      ...added.map((finding) => inWords(finding, 'is new', 'is new')),
    ],
    guide: () => upgradeGuide(before, after, options),
  }
}

/**
 * Replaces a document's version number with another one, so that media types and the API-Version
 * header, which always contain it, aren't reported as changes.
 */
function withVersion(document: object, current: number, version: number): object {
  const inMediaType = new RegExp(`;version=${current}(?!\\d)`, 'g')
  const text = JSON.stringify(document).replaceAll(inMediaType, `;version=${version}`)
  return JSON.parse(text, (key, value: unknown) =>
    key === 'API-Version' && isByName(value)
      ? { ...value, schema: { type: 'integer', const: version } }
      : value,
  ) as object
}

/** A finding in words for clients: ``status 200: `items[].name` is gone``. */
function inWords(finding: DiffFinding, gone: string, required: string): Difference {
  const { operation, direction, message, where, field, kind, reason } = finding
  if (!field) return { operation, direction, text: message }
  const missing = direction === 'request' ? required : gone
  const words = kind === 'gone' ? gone : kind === 'missing' ? missing : reason
  const path = field
    .slice(1)
    .replaceAll(/(?:^|\/)\*/g, '[]')
    .replaceAll('/', '.')
  return { operation, direction, text: `${where} \`${path}\` ${words}` }
}
