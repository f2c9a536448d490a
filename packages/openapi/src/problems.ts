// The router's own responses, as a document's components.
import type { Row } from '@hv/router'

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

const responseOf = (status: number, description: string, codes: readonly string[]) => ({
  description,
  content: {
    'application/problem+json': {
      schema: {
        allOf: [{ $ref: '#/components/schemas/Problem' }],
        properties: {
          type: { enum: codes.map((code) => `urn:hv-router:${code}`) },
          status: { const: status },
        },
      },
    },
  },
})

const refTo = (name: string): object => ({ $ref: `#/components/responses/${name}` })

/** The responses that a request to an existing version and route may get. */
export const problemResponsesOf = ({ life }: Row): Readonly<Record<string, object>> => ({
  400: refTo('MalformedRequest'),
  406: refTo('NotAcceptable'),
  ...(life !== null && life.outages.length > 0 && { 410: refTo('Gone') }),
})

/** @param rows - the document's routes */
export const problemComponentsOf = (rows: readonly Row[]): Readonly<Record<string, object>> => ({
  schemas: { Problem: problem },
  responses: {
    ...(rows.some((row) => '410' in problemResponsesOf(row)) && {
      Gone: responseOf(410, 'The version or the route has ended, or is in a brownout.', [
        'version-retired',
        'route-retired',
        'brownout',
      ]),
    }),
    MalformedRequest: responseOf(
      400,
      "The path or the Accept header is malformed, or the request doesn't match its schema.",
      ['malformed-path', 'malformed-accept', 'invalid-request'],
    ),
    NotAcceptable: responseOf(406, 'The Accept header matches no version of this API.', [
      'not-acceptable',
    ]),
  },
})
