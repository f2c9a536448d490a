// Media types with parameters, and ranges of them (RFC 9110, sections 8.3.1 and 12.5.1).
import { type DocumentRow, type Json, documentOf, string } from './row.ts'

const contentOf = (types: readonly string[]): Json => ({
  content: Object.fromEntries(types.map((type) => [type, { schema: string }])),
})
const sent = (...types: readonly string[]): Json => documentOf({ requestBody: contentOf(types) })
const received = (...types: readonly string[]): Json =>
  documentOf({ responses: { 200: contentOf(types) } })

/** Two media types as a request's, and as a response's. */
const both = (
  what: string,
  [released, current]: readonly [string, string],
  [request, response]: readonly [string, string],
  why: string,
): readonly DocumentRow[] => [
  [`${what} in a request`, sent(released), sent(current), request, why],
  [`${what} in a response`, received(released), received(current), response, why],
]
const lost = 'lost-media-type'

export const mediaTypes: readonly DocumentRow[] = [
  ...both(
    'a new parameter',
    ['text/plain', 'text/plain; charset=utf-8'],
    [lost, 'silent'],
    'a media type without parameters includes those with parameters',
  ),
  ...both(
    'a parameter that is gone',
    ['text/csv; charset=utf-8', 'text/csv'],
    ['silent', lost],
    'likewise',
  ),
  ...both(
    'quotes',
    ['text/html; charset=utf-8', 'text/html; charset="utf-8"'],
    ['silent', 'silent'],
    'a token and a quoted string are the same value',
  ),
  ...both(
    'an escape in quotes',
    ['text/html; charset="utf\\-8"', 'text/html; charset=utf-8'],
    ['silent', 'silent'],
    'likewise',
  ),
  ...both(
    'letter case',
    ['Text/HTML; Charset=UTF-8', 'text/html;charset=utf-8'],
    ['silent', 'silent'],
    'names and charsets have no case',
  ),
  ...both(
    'whitespace',
    ['text/html ;  charset=utf-8', 'text/html;charset=utf-8'],
    ['silent', 'silent'],
    'optional whitespace',
  ),
  ...both(
    'an empty parameter',
    ['text/html;', 'text/html'],
    ['silent', 'silent'],
    'a semicolon may stand alone',
  ),
  ...both(
    'another value of a parameter',
    ['text/csv; header=present', 'text/csv; header=absent'],
    [lost, lost],
    'the two exclude each other',
  ),
  ...both(
    'a semicolon in quotes',
    ['a/b; profile="x;y"; q=1', 'a/b; q=1; profile="x;y"'],
    ['silent', 'silent'],
    'it separates no parameters',
  ),
  ...both(
    'one parameter of three less',
    ['a/b; x=1; y=2; z=3', 'a/b; x=1; z=3'],
    ['silent', lost],
    'fewer parameters include more',
  ),
  ...both(
    'a charset of JSON',
    ['application/json', 'application/json; charset="UTF-8"'],
    ['silent', 'silent'],
    'RFC 8259: it has no effect',
  ),
  ...both(
    'a charset of JSON with a suffix',
    ['application/problem+json; charset=utf-8', 'application/problem+json'],
    ['silent', 'silent'],
    'likewise',
  ),
  ...both(
    'a profile of JSON',
    ['application/json', 'application/json; profile="https://a.test/v1"'],
    [lost, 'silent'],
    'a new parameter',
  ),
  ...both(
    'a range with a parameter',
    ['text/csv; charset=utf-8', 'text/*; charset=utf-8'],
    ['silent', lost],
    'a range includes its types',
  ),
  ...both('a range', ['text/csv; charset=utf-8', 'text/*'], ['silent', lost], 'likewise'),
  ...both(
    'any media type',
    ['*/*', 'text/csv; charset=utf-8'],
    [lost, 'silent'],
    'every type is in it',
  ),
  [
    'the most specific of two entries',
    sent('text/csv', 'text/csv; header=present'),
    documentOf({
      requestBody: {
        content: {
          'text/csv': { schema: string },
          'text/csv; header=present': { schema: { ...string, maxLength: 3 } },
        },
      },
    }),
    'request-narrowed',
    'it describes what the other one includes',
  ],
  [
    'the charset of a JSON parameter',
    documentOf({ parameters: [{ in: 'query', name: 'q', ...contentOf(['application/json']) }] }),
    documentOf({
      parameters: [{ in: 'query', name: 'q', ...contentOf(['Application/JSON; charset=utf-8']) }],
    }),
    'silent',
    'it has no effect there either',
  ],
]
