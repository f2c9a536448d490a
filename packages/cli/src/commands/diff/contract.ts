import { type ContractFinding, compareDocuments } from '@hv/router-openapi'
import { UsageError } from '../../output.ts'
import type { Documents } from '../../project/documents.ts'

/**
 * What a client finds in requests and responses that moves from one version to another.
 *
 * @throws UsageError when a version has no document
 */
export function compareContracts(documents: Documents, from: number, to: number): readonly ContractFinding[] {
  const [before, after] = [from, to].map((version) => {
    const document = documents[version]
    if (document === undefined) throw new UsageError(`the documents have no version ${version}.`)
    return document
  })
  return compareDocuments(before!, asVersion(after!, to, from))
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

/** The findings by direction and operation, as Markdown. */
export function contractMarkdown(findings: readonly ContractFinding[]): readonly string[] {
  const titles = { request: 'Requests to change', response: 'Responses that differ' } as const
  return (['request', 'response'] as const).flatMap((direction) => {
    const own = findings.filter((finding) => finding.direction === direction && finding.code !== 'lost-operation')
    if (own.length === 0) return []
    const operations = [...new Set(own.map(({ operation }) => operation))]
    return [
      '',
      `### ${titles[direction]}`,
      ...operations.flatMap((operation) => [
        '',
        `\`${operation}\``,
        '',
        ...own.filter((finding) => finding.operation === operation).map(({ message }) => `- ${message}`),
      ]),
    ]
  })
}
