// The patterns that make our English sound translated. CONTRIBUTING ("How we write English") says what to write instead.
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const inside = (folder: string): string[] =>
  readdirSync(join(root, folder)).map((name) => join(folder, name))
const readMes = ['packages', 'examples'].flatMap(inside).map((folder) => join(folder, 'README.md'))
const pages = [
  'README.md',
  'examples/users/operations/RUNBOOK.md',
  ...['docs', 'docs/decisions', 'docs/guide', 'docs/reference'].flatMap(inside),
  ...readMes,
].filter((page) => page.endsWith('.md') && page !== 'docs/benchmarks.md' && exists(page))

const patterns = [
  ['write "gets a 410 response"', /\b(?:gets?|answers?) [1-5]\d\d\b/],
  [
    'write a possessive: "Express\'s arguments"',
    /\bof (?:Express|Fastify|Hono|Node\.js|Nest|Rails|zod|Valibot|TypeScript)\b(?!'s| \d)(?<!front of Nest)/,
  ],
  ['write "hand-written"', /\bby hand\b/],
  ['write "lifecycle"', /\b(?:the|a|its|their) li(?:fe|ves)\b/],
  ['write "also"', /, too(?:[.:;,]|$| \|)/],
  ['write a possessive: "`users`\'s handler"', /\bthe (?!(?:end|value|type|body)\b)[a-z]+ of `/],
] as const

function exists(page: string): boolean {
  return inside(join(page, '..')).includes(page)
}

/** The sentences of a page, without its code. */
const sentencesOf = (page: string): readonly string[] =>
  readFileSync(join(root, page), 'utf8')
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .split(/\n\s*\n|\n(?=[-|#\d])/)
    .flatMap((paragraph) => paragraph.replaceAll(/\s+/g, ' ').split(/(?<=[.:!?]) (?=[A-Z`"[])/))

it.each(pages)('%s reads as if it was written in English', (page) => {
  const faults = sentencesOf(page).flatMap((sentence) =>
    patterns.flatMap(([advice, pattern]) =>
      pattern.test(sentence) ? [`${advice}: ${sentence}`] : [],
    ),
  )
  expect(faults).toEqual([])
})

it('finds each pattern', () => {
  const faults = [
    'A request gets 410.',
    'the arguments of Express',
    'written by hand',
    'in its life',
    'HEAD, too.',
    'the handler of `users`',
  ]
  expect(faults.map((text) => patterns.findIndex(([, pattern]) => pattern.test(text)))).toEqual([
    0, 1, 2, 3, 4, 5,
  ])
})
