// What tells alternatives apart.
import { type Json, type SchemaRow, integer, object, ref, string } from './row.ts'

const cat = object({ kind: { const: 'cat' }, name: string }, 'kind', 'name')
const dog = object({ kind: { const: 'dog' }, name: string }, 'kind', 'name')
const pets: Json = { Cat: cat, Dog: dog, Feline: cat }
const untagged = object({ kind: string, name: string }, 'kind', 'name')
const animals: Json = {
  Cat: { ...untagged, minProperties: 2 },
  Dog: { ...untagged, minProperties: 3 },
  Feline: { ...untagged, minProperties: 2 },
}
const told = (names: readonly string[], mapping?: Json): Json => ({
  oneOf: names.map(ref),
  discriminator: { propertyName: 'kind', ...(mapping && { mapping }) },
})
const at = (name: string): string => `#/components/schemas/${name}`

/** A base schema, and one that extends it. */
const extended = (more: Json, mapping?: Json): Json => ({
  Pet: {
    ...object({ kind: string }, 'kind'),
    discriminator: { propertyName: 'kind', ...(mapping && { mapping }) },
  },
  Cat: { allOf: [ref('Pet'), more] },
})

/** A cat is only a pet, and a pet is an animal. */
const grandchild = (kind: string) => ({
  Animal: object({ age: integer }),
  Pet: {
    allOf: [ref('Animal'), object({ kind: string }, 'kind')],
    discriminator: { propertyName: 'kind', mapping: { [kind]: 'Cat' } },
  },
  Cat: { allOf: [ref('Pet')] },
})

/** A base schema that lists the eight that extend it, the first of them with more. */
const listed = (union: Json, more: Json, base: Json = {}): Json => ({
  Pet: { ...object({ kind: string, ...base }, 'kind'), ...union },
  ...Object.fromEntries(
    names.map((name) => [
      name,
      { allOf: [ref('Pet'), object({ [name]: string, ...(name === 'P0' && more) }, name)] },
    ]),
  ),
})
const names = Array.from({ length: 8 }, (_, n) => `P${n}`)

export const discriminators: readonly SchemaRow[] = [
  // ---- discriminators ---------------------------------------------------------------------------
  [
    'a new discriminator',
    { oneOf: [ref('Cat'), ref('Dog')] },
    told(['Cat', 'Dog']),
    'silent',
    'silent',
    'a hint: the values are the same',
    pets,
  ],
  [
    'a discriminator that is gone',
    told(['Cat', 'Dog']),
    { oneOf: [ref('Cat'), ref('Dog')] },
    'silent',
    'silent',
    'likewise',
    pets,
  ],
  [
    'a component with a discriminator that no other extends',
    ref('Pet'),
    ref('Pet'),
    'silent',
    'silent',
    'the new field is optional',
    [
      { ...pets, Pet: told(['Cat', 'Dog']) },
      { ...pets, Dog: { allOf: [dog, object({ age: integer })] }, Pet: told(['Cat', 'Dog']) },
    ],
  ],
  [
    'another property of a discriminator',
    told(['Cat', 'Dog']),
    { ...told(['Cat', 'Dog']), discriminator: { propertyName: 'name' } },
    'unjudged',
    'unjudged',
    'schemas may be told apart in another way',
    pets,
  ],
  [
    'another name of an alternative with a mapping',
    told(['Cat', 'Dog'], { cat: at('Cat'), dog: at('Dog') }),
    told(['Feline', 'Dog'], { cat: at('Feline'), dog: at('Dog') }),
    'silent',
    'silent',
    "the names aren't sent",
    animals,
  ],
  [
    'another name of an alternative with a constant',
    told(['Cat', 'Dog']),
    told(['Feline', 'Dog']),
    'silent',
    'silent',
    'the constant is sent',
    pets,
  ],
  [
    'another name of an alternative without a mapping',
    told(['Cat', 'Dog']),
    told(['Feline', 'Dog']),
    'unjudged',
    'unjudged',
    'OpenAPI: the name is the value that is sent',
    animals,
  ],
  [
    'values that are exchanged',
    told(['Cat', 'Dog'], { c: at('Cat'), d: at('Dog') }),
    told(['Cat', 'Dog'], { c: at('Dog'), d: at('Cat') }),
    'breaks',
    'breaks',
    'a value means another schema',
    animals,
  ],
  [
    'a mapping that says the names',
    told(['Cat', 'Dog']),
    told(['Cat', 'Dog'], { Cat: at('Cat'), Dog: 'Dog' }),
    'silent',
    'silent',
    'the default',
    animals,
  ],
  [
    'a mapping that says the tags',
    told(['Cat', 'Dog']),
    told(['Cat', 'Dog'], { cat: at('Cat'), dog: at('Dog') }),
    'silent',
    'silent',
    'the alternatives say them as well',
    pets,
  ],

  // ---- discriminators of base schemas -----------------------------------------------------------
  ...[undefined, { cat: 'Cat' }, { cat: at('Cat') }].flatMap((mapping): readonly SchemaRow[] => {
    const how = mapping === undefined ? '' : ` mapped to ${mapping.cat}`
    return [
      [
        'a child that changes' + how,
        ref('Pet'),
        ref('Pet'),
        'breaks',
        'breaks',
        'a pet may be a cat',
        [extended(object({ age: string }), mapping), extended(object({ age: integer }), mapping)],
      ],
      [
        'a child that gains a property' + how,
        ref('Pet'),
        ref('Pet'),
        'silent',
        'silent',
        '',
        [extended(object({}), mapping), extended(object({ age: string }), mapping)],
      ],
    ]
  }),
  [
    'a child that is new',
    ref('Pet'),
    ref('Pet'),
    'silent',
    'unjudged',
    'clients may not know it',
    [extended(object({})), { ...extended(object({})), Dog: { allOf: [ref('Pet')] } }],
  ],
  [
    'a sibling that changes',
    ref('Cat'),
    ref('Cat'),
    'silent',
    'silent',
    'a cat is no dog',
    [
      { ...extended(object({})), Dog: { allOf: [ref('Pet'), object({ age: string })] } },
      { ...extended(object({})), Dog: { allOf: [ref('Pet'), object({ age: integer })] } },
    ],
  ],
  ...[
    told(names),
    told(names, { p: at('P0') }),
    { oneOf: names.map(ref) },
    { anyOf: names.map(ref) },
  ].flatMap((union): readonly SchemaRow[] => {
    const how = ` of a base with ${Object.keys(union).join(' and ')}`
    const changed: readonly [Json, Json] = [
      listed(union, { age: string }),
      listed(union, { age: integer }),
    ]
    return [
      ['a change in a child' + how, ref('Pet'), ref('Pet'), 'breaks', 'breaks', '', changed],
      ['a change in a child alone' + how, ref('P0'), ref('P0'), 'breaks', 'breaks', '', changed],
      [
        'a change in what every child has' + how,
        ref('Pet'),
        ref('Pet'),
        'breaks',
        'breaks',
        '',
        [listed(union, {}, { age: string }), listed(union, {}, { age: integer })],
      ],
      [
        'a new property of a child' + how,
        ref('Pet'),
        ref('Pet'),
        'silent',
        'silent',
        '',
        [listed(union, {}), listed(union, { age: string })],
      ],
    ]
  }),
  [
    'alternatives whose tags only name themselves now',
    told(['Cat', 'Dog'], { cat: at('Cat'), dog: at('Dog') }),
    told(['Cat', 'Dog'], { cat: at('Cat'), dog: at('Dog') }),
    'silent',
    'silent',
    'a dog was never a cat',
    [
      {
        Cat: object({ kind: { enum: ['cat', 'dog'] } }, 'kind'),
        Dog: object({ kind: { enum: ['cat', 'dog'] }, name: string }, 'kind'),
      },
      {
        Cat: object({ kind: { enum: ['cat'] } }, 'kind'),
        Dog: object({ kind: { enum: ['dog'] }, name: string }, 'kind'),
      },
    ],
  ],
  [
    'a base with a base, whose discriminator names its children otherwise',
    ref('Cat'),
    ref('Cat'),
    'silent',
    'silent',
    'a child has no children',
    [grandchild('cat'), grandchild('tom')],
  ],
]
