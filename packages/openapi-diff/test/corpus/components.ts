// References, names of components, recursion.
import { type Json, type SchemaRow, integer, object, ref, string } from './row.ts'

const a = object({ a: string })
/** 40 components, each twice in the one before. */
const diamonds = (schema: Json): Json =>
  Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `A${n}`,
      n === 39
        ? object({ a: schema })
        : { allOf: [ref(`A${n + 1}`), { allOf: [ref(`A${n + 1}`)] }] },
    ]),
  )

export const components: readonly SchemaRow[] = [
  // ---- components and recursion -----------------------------------------------------------------
  [
    'another name of a component',
    ref('A'),
    ref('B'),
    'silent',
    'silent',
    "names of components aren't sent",
    { A: a, B: a },
  ],
  ['a component inline', ref('A'), a, 'silent', 'silent', '', { A: a }],
  ['a reference of a reference', ref('A'), a, 'silent', 'silent', '', { A: ref('B'), B: a }],
  [
    'a changed component',
    ref('A'),
    ref('A'),
    'breaks',
    'breaks',
    '',
    [{ A: a }, { A: object({ a: integer }) }],
  ],
  [
    'another name of a recursive component',
    ref('A'),
    ref('B'),
    'silent',
    'silent',
    'the same trees',
    { A: object({ next: ref('A') }), B: object({ next: ref('B') }) },
  ],
  [
    'a recursion over two components',
    ref('A'),
    ref('B'),
    'silent',
    'silent',
    'the same trees',
    { A: object({ next: ref('A') }), B: object({ next: ref('C') }), C: object({ next: ref('B') }) },
  ],
  [
    'a recursive component that changes',
    ref('A'),
    ref('A'),
    'breaks',
    'breaks',
    '',
    [{ A: object({ next: ref('A'), v: string }) }, { A: object({ next: ref('A'), v: integer }) }],
  ],
  [
    'a recursion through two schemas of allOf',
    ref('A'),
    ref('A'),
    'breaks',
    'breaks',
    'it ends: each schema holds once',
    [string, integer].map((t) => ({
      A: {
        allOf: [
          object({ n: ref('A') }),
          object({ n: { allOf: [ref('A'), object({ m: ref('A'), t })] } }),
        ],
      },
    })) as unknown as readonly [Json, Json],
  ],
  [
    'a recursion through allOf in an alternative',
    ref('A'),
    ref('A'),
    'breaks',
    'breaks',
    'it ends: the alternative is the component',
    [string, integer].map((v) => ({
      A: object({ v, next: { anyOf: [{ allOf: [ref('A')] }, { type: 'null' }] } }),
    })) as unknown as readonly [Json, Json],
  ],
  [
    'a reference into a property',
    { $ref: '#/components/schemas/A/properties/a' },
    string,
    'silent',
    'silent',
    '',
    { A: a },
  ],

  [
    'diamonds of allOf',
    ref('A0'),
    ref('A0'),
    'breaks',
    'breaks',
    'each is read once',
    [diamonds(string), diamonds(integer)],
  ],
  // ---- identifiers ------------------------------------------------------------------------------
  ...(
    [
      ['an anchor', { $ref: '#part' }, { $anchor: 'part' }],
      ['a dynamic anchor', { $dynamicRef: '#part' }, { $dynamicAnchor: 'part' }],
      ['an $id', { $ref: 'https://acme.test/part' }, { $id: 'https://acme.test/part' }],
    ] as const
  ).flatMap(([what, reference, identifier]): readonly SchemaRow[] => {
    const identified = (type: string, more: Json = {}): Json => ({
      A: { ...object({ a: reference }), $defs: { a: { ...identifier, type } } },
      ...more,
    })
    return [
      [
        `a change behind ${what}`,
        ref('A'),
        ref('A'),
        'unjudged',
        'unjudged',
        "it isn't followed",
        [identified('string'), identified('integer')],
      ],
      [
        `a change beside ${what}`,
        ref('A'),
        ref('A'),
        'unjudged',
        'unjudged',
        "rare, so identifiers aren't followed at all",
        [identified('string'), identified('string', { B: string })],
      ],
    ]
  }),
  [
    'a component of any value that is gone',
    ref('A'),
    ref('A'),
    'unjudged',
    'unjudged',
    "a reference to nothing isn't one to anything",
    [{ A: {} }, {}],
  ],
  [
    'a definition below an $id',
    ref('A'),
    ref('A'),
    'unjudged',
    'unjudged',
    'the reference starts there',
    [string, integer].map((inner) => ({
      A: {
        $id: 'https://acme.test/a',
        ...object({ a: { $ref: '#/$defs/a' } }),
        $defs: { a: inner },
      },
    })) as unknown as readonly [Json, Json],
  ],
]
