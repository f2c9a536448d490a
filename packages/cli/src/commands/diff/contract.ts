import { type CompareOptions, type ContractFinding, compareDocuments, groupFindings } from '@hv/router-openapi'
import { type Io, UsageError, inOperations, paint, print, showProgress } from '../../output.ts'
import type { Documents } from '../../project/documents.ts'

/** What differs for a client: what it has to change, and the fields that are new. */
export interface Contract {
  readonly findings: readonly ContractFinding[]
  readonly added: readonly ContractFinding[]
}

/** What a client finds in requests and responses that moves from one version to another. */
export function compareContracts(
  io: Io,
  documents: Documents,
  from: number,
  to: number,
  options: CompareOptions,
): Contract {
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
  return { findings, added }
}

/** The number of the version is in every media type, and in the API-Version header. No client is surprised by that. */
function asVersion(document: object, version: number, other: number): object {
  const text = JSON.stringify(document).replaceAll(new RegExp(`;version=${version}(?!\\d)`, 'g'), `;version=${other}`)
  return JSON.parse(text, (key, value: unknown) =>
    key === 'API-Version' && typeof value === 'object' && value !== null
      ? { ...value, schema: { type: 'integer', const: other } }
      : value,
  ) as object
}

/** Prints a line for each cause: a changed component can be found in hundreds of operations. */
export function printContract(io: Io, { findings }: Contract): void {
  for (const { code, severity, cause, operations, findings: group } of groupFindings(findings)) {
    const [only, other] = group
    const text = other === undefined ? `${only!.operation}: ${only!.message}` : inOperations(cause, operations)
    print(io, `${paint(io.out, severity === 'error' ? 'red' : 'yellow', code)}  ${text}`)
  }
}

/** A difference in words for clients, with code in backquotes. */
export interface Difference {
  /** `GET /users/{id}`, or `every operation` */
  readonly operation: string
  readonly direction: ContractFinding['direction']
  readonly text: string
}

/** What each direction of a difference is called. */
export const directions = { request: 'Requests to change', response: 'Responses that differ' } as const

/** The differences in requests and in responses. Operations that are gone have none. */
export function differencesIn({ findings, added }: Contract): readonly Difference[] {
  const wordsOf = (list: readonly ContractFinding[], gone: string, required: string): readonly Difference[] =>
    list
      .filter(({ code }) => code !== 'lost-operation')
      .map(({ operation, direction, message }) => {
        const missing = direction === 'request' ? required : gone
        return { operation, direction, text: inWords(message, missing, gone) }
      })
  return [...wordsOf(findings, 'is gone', 'is required now'), ...wordsOf(added, 'is new', 'is new')]
}

/** The differences by direction and operation, as Markdown. */
export function contractMarkdown(contract: Contract): readonly string[] {
  const differences = differencesIn(contract)
  return (['request', 'response'] as const).flatMap((direction) => {
    const lines = differences.filter((line) => line.direction === direction)
    if (lines.length === 0) return []
    const operations = [...new Set(lines.map(({ operation }) => operation))]
    return [
      '',
      `### ${directions[direction]}`,
      ...operations.flatMap((operation) => [
        '',
        `\`${operation}\``,
        '',
        ...new Set(lines.filter((line) => line.operation === operation).map(({ text }) => `- ${text}`)),
      ]),
    ]
  })
}

/** `status 200: /items/*` and what follows → ``status 200: `items[]` ``. */
const inWords = (message: string, missing: string, gone: string): string =>
  message
    .replace(/ \/(\S+)/, (_, path: string) => ` \`${path.replaceAll(/(?:^|\/)\*/g, '[]').replaceAll('/', '.')}\``)
    .replace(/is missing, and is required$/, missing)
    .replace(/is gone$/, gone)
