// Lists, and what is for readers.
import { type SchemaRow, integer, list, string } from './row.ts'

export const lists: readonly SchemaRow[] = [
  // ---- lists ------------------------------------------------------------------------------------
  ['elements of any kind', { type: 'array' }, list({}), 'silent', 'silent', 'the default'],
  ['elements of another type', list(string), list(integer), 'breaks', 'breaks', 'unless it is empty'],
  [
    'different elements',
    list(string),
    { ...list(string), uniqueItems: true },
    'breaks',
    'silent',
    'repetitions are refused',
  ],
  ['uniqueItems: false', { ...list(string), uniqueItems: false }, list(string), 'silent', 'silent', 'the default'],
  [
    'an element at least',
    list(string),
    { ...list(string), minItems: 1 },
    'breaks',
    'silent',
    'the empty list is refused',
  ],
  [
    'a tuple with its length',
    { type: 'array', prefixItems: [string, integer], minItems: 2, items: false },
    { type: 'array', prefixItems: [string, integer], minItems: 2, maxItems: 2 },
    'silent',
    'silent',
    'both have two elements',
  ],
  ['an empty list', { type: 'array', maxItems: 0 }, { type: 'array', items: false }, 'silent', 'silent', ''],
  [
    'one more element of a tuple',
    { type: 'array', prefixItems: [string], items: false },
    { type: 'array', prefixItems: [string, string], items: false },
    'silent',
    'breaks',
    'the second is new',
  ],
  [
    'another rule for elements',
    { ...list(string), contains: { const: 'a' } },
    { ...list(string), contains: { const: 'b' } },
    'unjudged',
    'unjudged',
    'contains is not compared',
  ],

  // ---- annotations ------------------------------------------------------------------------------
  [
    'texts for readers',
    { ...string, title: 'A', description: 'a', example: 'x' },
    { ...string, examples: ['y'], externalDocs: { url: '/' }, $comment: 'c' },
    'silent',
    'silent',
    'for readers',
  ],
  ['deprecated', string, { ...string, deprecated: true }, 'silent', 'silent', 'it works until it is removed'],
  ['extensions', { ...string, 'x-a': 1 }, { ...string, 'x-b': 2 }, 'silent', 'silent', 'no promise'],
  ['names of XML', string, { ...string, xml: { name: 'a' } }, 'silent', 'silent', 'a choice: JSON is what is compared'],
]
