// The documentation stays as short as it is. Who adds a page or a paragraph looks for one that it replaces.
import { describe, expect, it } from 'vitest'
import { otherPages, readSections } from './pages.ts'
import { countWords, wordsOf } from './words.ts'

const pages = [
  ...readSections().flatMap((section) => section.pages.map(({ path }) => path)),
  ...otherPages,
]
/** The words of all pages whose path matches. The page for coding agents isn't for people. */
const wordsIn = (paths: RegExp): number =>
  pages
    .filter((path) => paths.test(path) && path !== 'agents')
    .reduce((sum, path) => sum + wordsOf(path), 0)

describe('the documentation', () => {
  it('has at most 46 pages besides the generated ones', () => {
    expect(pages.length).toBeLessThanOrEqual(46)
  })

  it.each([
    // 1,450 of them about webhooks, which no other page covers, and 1,600 of them answers to the teams of four apps: Coming from
    // Hono, and samples that are whole files. Another 600 say how other people's generators and validators take our documents
    ['guides and start pages', /^(?:guide\/|[^/]+$)/, 30_780],
    ['reference', /^reference\//, 11_300],
    ["frameworks' pages", /^packages\//, 4_500],
  ])('has a limited number of words: %s', (_name, paths, most) => {
    const words = wordsIn(paths)
    const remedy = 'Shorten a page, or raise the limit and say why in the commit.'
    expect(words, remedy).toBeLessThanOrEqual(most)
    expect(words).toBeGreaterThan(most * 0.8) // lower the limit when there are fewer
  })
})

describe('the words of a page', () => {
  it.each<[page: string, words: number]>([
    ['# Two words\n', 2],
    ['---\ntitle: Not shown\n---\n\n# Shown\n<!-- not shown -->\n', 1],
    ['See [two words](page.md#anchor), ![none](a.png).\n', 3],
    ['| a | b |\n| --- | --- |\n| c | d |\n', 4],
    ['::: tip A title\nText.\n:::\n\n<Diagram name="none" />\n', 3],
    ['```ts file=app.ts {2}\nconst x = { y: 1 }\n```\n', 5],
    ['```ts\nimport hidden\n// ---cut---\nshown()\n```\n', 1],
    [
      '::: code-group\n\n```ts [A]\none()\n```\n\n```ts [B]\ntwo(), three()\n```\n\n:::\n\nend\n',
      2,
    ],
  ])('are counted: %j', (page, words) => {
    expect(countWords(page)).toBe(words)
  })
})
