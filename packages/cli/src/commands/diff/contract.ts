import { type CompareOptions, type ContractFinding, compareDocuments } from '@hv/openapi-diff'
import { type Io, UsageError, showProgress } from '../../output.ts'
import type { Contracts } from '../../project/documents.ts'
import { changesBetween, examplesOf } from './examples.ts'

/** A difference in a request or a response, in words for clients, with code in backquotes. */
export interface Difference {
  /** `GET /users/{id}`, or `every operation` */
  readonly operation: string
  readonly direction: ContractFinding['direction']
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
  const required = new Set(findings.map(({ operation, message }) => `${operation} ${message}`))
  // A field that is gone on the way back is new. One that only the older version requires of a request is not.
  const added = compareDocuments(later, before!).filter(({ direction, operation, message }) =>
    direction === 'request'
      ? / \/\S+ is gone$/.test(message) &&
        !required.has(`${operation} ${message.replace(/is gone$/, 'is missing, and is required')}`)
      : / \/\S+ is (?:gone|missing, and is required)$/.test(message),
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

// `status 200: /items/*` and what follows → ``status 200: `items[]` ``.
const inWords = (
  findings: readonly ContractFinding[],
  gone: string,
  required: string,
): readonly Difference[] =>
  findings
    .filter(({ code }) => code !== 'lost-operation')
    .map(({ operation, direction, message }) => ({
      operation,
      direction,
      text: message
        .replace(
          / \/(\S+)/,
          (_, path: string) => ` \`${path.replaceAll(/(?:^|\/)\*/g, '[]').replaceAll('/', '.')}\``,
        )
        .replace(/is missing, and is required$/, direction === 'request' ? required : gone)
        .replace(/is gone$/, gone),
    }))
