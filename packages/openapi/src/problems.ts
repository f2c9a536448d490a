// The router's own responses, as a document's components.
import type { Row } from '@hv/router'
import { type Components, unused } from './components.ts'

/** A problem document (RFC 9457), with the members that the router adds. */
const problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What happened, and what to send instead.' },
    requested: {
      type: 'array',
      items: { type: 'integer' },
      description: 'The versions that the Accept header names.',
    },
    part: {
      type: 'string',
      description: "The part of the request that doesn't match its schema.",
    },
    issues: {
      type: 'array',
      description: "What doesn't match.",
      items: {
        type: 'object',
        required: ['pointer', 'message'],
        properties: { pointer: { type: 'string' }, message: { type: 'string' } },
      },
    },
    supported: { type: 'array', items: { type: 'integer' }, description: 'The declared versions.' },
  },
}

/** What the router itself may respond to a request for an existing version and route. */
export interface Problems {
  readonly responses: Readonly<Record<string, object>>
  /** A row's responses, by status. */
  of(row: Row): Readonly<Record<string, object>>
}

const hasOutages = ({ life }: Row): boolean => life !== null && life.outages.length > 0

/**
 * Describes the problem documents. Call it after everything else, because the app's schemas and
 * responses keep their names.
 *
 * @param rows - the document's routes
 * @param taken - the app's responses
 */
export function createProblems(
  rows: readonly Row[],
  components: Components,
  taken: object = {},
): Problems {
  const responses: Record<string, object> = {}
  const schema = components.add({ $id: 'Problem', ...problem }, 'Problem')
  const always = {
    400: add(
      'MalformedRequest',
      400,
      "The path or the Accept header is malformed, or the request doesn't match its schema.",
      ['malformed-path', 'malformed-accept', 'invalid-request'],
    ),
    406: add('NotAcceptable', 406, 'The Accept header matches no version of this API.', [
      'not-acceptable',
    ]),
  }
  const gone = rows.some(hasOutages) && {
    410: add('Gone', 410, 'The version or the route has ended, or is in a brownout.', [
      'version-retired',
      'route-retired',
      'brownout',
    ]),
  }
  return { responses, of: (row) => ({ ...always, ...(hasOutages(row) && gone) }) }

  function add(wanted: string, status: number, description: string, codes: readonly string[]) {
    const name = unused(wanted, taken)
    const type = { enum: codes.map((code) => `urn:hv-router:${code}`) }
    const described = { allOf: [schema], properties: { type, status: { const: status } } }
    responses[name] = {
      description,
      content: { 'application/problem+json': { schema: described } },
    }
    return { $ref: `#/components/responses/${name}` }
  }
}
