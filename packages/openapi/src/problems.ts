// The router's own responses, as a document's components.
import type { Row } from '@hv/router'
import type { JsonSchema } from '@hv/router/internal'
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

/** OpenAPI's Response objects, or references to them. */
type Responses = Readonly<
  Record<string, { readonly $ref?: string; readonly content?: Record<string, JsonSchema> }>
>

/**
 * Describes the problem documents. Call it after everything else, because the app's schemas and
 * responses keep their names.
 *
 * @param named - the app's named responses, to which it adds those that are used
 * @returns a function that returns the responses that a request for a row may get, by status
 */
export function createProblems(
  components: Components,
  named: Record<string, object>,
): (row: Row, declared: Responses) => Responses {
  const taken = { ...named }
  const schema = components.add({ $id: 'Problem', ...problem }, 'Problem')
  return ({ life }, declared) => ({
    400: add(
      'MalformedRequest',
      400,
      'The request is malformed.',
      'malformed-path malformed-accept version-required invalid-request',
    ),
    406: add(
      'NotAcceptable',
      406,
      'The Accept header matches no version of this API.',
      'not-acceptable',
    ),
    // A 410 response of the app's stays the same when its version's dates are set or withdrawn.
    ...(('410' in declared || (life !== null && life.outages.length > 0)) && {
      410: add(
        'Gone',
        410,
        'The version or the route has ended, or is in a brownout.',
        'version-retired route-retired brownout',
      ),
    }),
  })

  function add(wanted: string, status: number, description: string, codes: string) {
    const name = unused(wanted, taken)
    const type = { type: 'string', enum: codes.split(' ').map((code) => `urn:hv-router:${code}`) }
    const properties = { type, status: { type: 'integer', const: status } }
    const media = { schema: { allOf: [schema], properties } }
    named[name] = { description, content: { 'application/problem+json': media } }
    return { $ref: `#/components/responses/${name}` }
  }
}

/**
 * Adds the router's responses to an action's. If the app may send the same status, the body is the
 * router's or the app's.
 *
 * @param named - the responses that a `$ref` may refer to
 */
export function withProblems(
  declared: Responses,
  problems: Responses,
  named: Responses,
): Responses {
  const merged = { ...problems, ...declared }
  for (const [status, reference] of Object.entries(problems)) {
    const app = declared[status] ?? declared[`${status[0]}XX`] ?? declared['default']
    if (app === undefined) continue
    const router = named[reference.$ref?.split('/').at(-1) ?? ''] ?? reference
    const content = { ...router.content, ...app.content }
    for (const [type, media] of Object.entries(app.content ?? {})) {
      const own = router.content?.[type]
      if (own)
        content[type] = { ...media, schema: { anyOf: [own['schema'], media['schema'] ?? {}] } }
    }
    merged[status] = { ...router, ...app, content }
  }
  return merged
}
