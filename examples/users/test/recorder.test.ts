// What the clients of `npm run figures -- cluster` make of what they see.
import { expect, it } from 'vitest'
import { type Expected, afterDeletion, findDifference } from '../cluster/recorder.ts'

it.each([
  [200, false],
  [0, 'unsure'],
  [500, 'unsure'],
  [503, 'unsure'],
  [401, 'refused'],
  [403, true],
  [404, true],
  [429, true],
] as const)('after %s for its deletion, a user exists: %s', (status, exists) => {
  expect(afterDeletion(status)).toBe(exists)
})

it.each<
  [exists: Expected['exists'], name: string | null | undefined, difference: string | undefined]
>([
  [true, 'new', undefined],
  [true, null, undefined],
  [true, 'old', 'it has an old name of the user'],
  [true, undefined, 'it lacks the user'],
  [false, undefined, undefined],
  [false, 'new', 'it still has the user'],
  [false, 'old', 'it still has the user'],
  ['unsure', undefined, undefined],
  ['unsure', 'old', undefined],
  ['refused', 'new', '401 although it has the user'],
  ['refused', undefined, '401 for the deletion that removed the user'],
])('a user that exists: %s, with the name %s on a server: %s', (exists, name, difference) => {
  expect(findDifference({ names: new Set(['new', null]), exists }, name)).toBe(difference)
})
