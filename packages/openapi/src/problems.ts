// The responses of the router itself, as components of a document.

/** RFC 9457, and the members that the router adds. */
const problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What happened, and what to send instead.' },
    requested: { type: 'array', items: { type: 'integer' }, description: 'The versions that the Accept header names.' },
    supported: { type: 'array', items: { type: 'integer' }, description: 'The declared versions.' },
  },
}

const responseOf = (status: number, description: string, codes: readonly string[]) => ({
  description,
  content: {
    'application/problem+json': {
      schema: {
        allOf: [{ $ref: '#/components/schemas/Problem' }],
        properties: { type: { enum: codes.map((code) => `urn:hv-router:${code}`) }, status: { const: status } },
      },
    },
  },
})

/** Responses to requests whose version and route exist. Other problems are about another version or another method. */
export const problemResponses = {
  400: { $ref: '#/components/responses/MalformedRequest' },
  406: { $ref: '#/components/responses/NotAcceptable' },
}

export const problemComponents = {
  schemas: { Problem: problem },
  responses: {
    MalformedRequest: responseOf(400, 'The path or the Accept header is malformed.', [
      'malformed-path',
      'malformed-accept',
    ]),
    NotAcceptable: responseOf(406, 'The Accept header allows no version of this API.', ['not-acceptable']),
  },
}
