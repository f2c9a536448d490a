// Small pairs of documents, and what a client of the first notices of the second. The verdicts follow from the specifications
// of OpenAPI and JSON Schema; where they leave a choice, the reason is in the row.
import { describe, expect, it } from 'vitest'
import { compareDocuments } from '../src/index.ts'
import { causes } from './corpus/causes.ts'
import { components } from './corpus/components.ts'
import { discriminators } from './corpus/discriminators.ts'
import { documents } from './corpus/documents.ts'
import { documentFeatures, features } from './corpus/features.ts'
import { lists } from './corpus/lists.ts'
import { mediaTypes } from './corpus/media-types.ts'
import { objects } from './corpus/objects.ts'
import { operations } from './corpus/operations.ts'
import { parameters } from './corpus/parameters.ts'
import { type Json, type SchemaRow, documentOf, json } from './corpus/row.ts'
import { unions } from './corpus/unions.ts'
import { values } from './corpus/values.ts'

/** The codes of the findings, each once. Their pointers lead to values of the documents. */
function verdictOf(released: Json, current: Json): string {
  const findings = compareDocuments(released, current)
  for (const { message, before, after, direction, reason } of findings) {
    // Who reads that a field of a request "may be null" takes it for a permission.
    if (direction === 'request') expect(reason).not.toMatch(/^(?:may|can|could) (?!no longer)/)
    const isFound = [
      before === null || valueAt(released, before) !== undefined,
      after === null || valueAt(current, after) !== undefined,
      before !== null || after !== null,
    ]
    expect([message, before, after, isFound]).toEqual([message, before, after, [true, true, true]])
  }
  const found = findings.map(({ code, severity }) =>
    severity === 'warning' ? `warning ${code}` : code,
  )
  return [...new Set(found)].toSorted().join(', ') || 'silent'
}

/** Follows a JSON Pointer, and the references on its way. */
function valueAt(document: Json, pointer: string): unknown {
  const steps = pointer.split('/').slice(1)
  return steps.reduce<unknown>((found, step) => {
    const inner = (found as Json | undefined)?.[
      step.replaceAll('~1', '/').replaceAll('~0', '~')
    ] as Json | undefined
    const $ref = step === 'schema' ? undefined : inner?.['$ref']
    return typeof $ref === 'string'
      ? { ...(valueAt(document, $ref.slice(1)) as Json), ...inner }
      : inner
  }, document)
}

const verdicts = {
  request: {
    silent: 'silent',
    breaks: 'request-narrowed',
    warns: 'warning changed-default',
    ignored: 'warning request-narrowed',
    unjudged: 'unclear-change',
    'breaks, unjudged': 'request-narrowed, unclear-change',
  },
  response: {
    silent: 'silent',
    breaks: 'response-widened',
    warns: 'warning response-widened',
    unjudged: 'unclear-change',
    'breaks, unjudged': 'response-widened, unclear-change',
  },
} as const

describe.each<[string, readonly SchemaRow[]]>([
  ['values', values],
  ['objects', objects],
  ['unions', unions],
  ['discriminators', discriminators],
  ['lists', lists],
  ['components', components],
  ['features', features],
])('%s', (_file, rows) => {
  const pairs = rows.flatMap(([what, released, current, request, response, why, schemas = {}]) => {
    const [before, after] = (Array.isArray(schemas) ? schemas : [schemas, schemas]) as readonly [
      Json,
      Json,
    ]
    const documentsOf = (operationOf: (schema: unknown) => Json): readonly [Json, Json] => [
      documentOf(operationOf(released), { components: { schemas: before } }),
      documentOf(operationOf(current), { components: { schemas: after } }),
    ]
    return [
      [
        what,
        'request',
        ...documentsOf((schema) => ({ requestBody: json(schema) })),
        verdicts.request[request],
        why,
      ],
      [
        what,
        'response',
        ...documentsOf((schema) => ({ responses: { 200: json(schema) } })),
        verdicts.response[response],
        why,
      ],
    ] as const
  })
  it.each(pairs)('%s in a %s', (_what, _direction, released, current, verdict, why) => {
    expect(verdictOf(released, current), why).toBe(verdict)
  })
})

it.each([...parameters, ...operations, ...mediaTypes, ...documents, ...documentFeatures])(
  '%s',
  (_what, released, current, verdict, why) => {
    expect(verdictOf(released, current), why).toBe(verdict)
  },
)

it.each(causes)(
  'names %s in a %s',
  (_what, direction, released, current, [before, after], expected) => {
    const operationOf = (schema: unknown): Json =>
      direction === 'request' ? { requestBody: json(schema) } : { responses: { 200: json(schema) } }
    const findings = compareDocuments(
      documentOf(operationOf(released), { components: { schemas: before } }),
      documentOf(operationOf(current), { components: { schemas: after } }),
    )
    expect([...new Set(findings.map(({ cause }) => cause))]).toEqual(expected)
  },
)
