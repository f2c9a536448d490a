import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSections } from './pages.ts'
import { generatedFiles } from './write-agents.ts'

it.each(Object.entries(generatedFiles()))('docs/%s is up to date: run npm run docs:agents', (path, text) => {
  expect(readFileSync(join(import.meta.dirname, path), 'utf8')).toBe(text)
})

it('lists every page, with a title', () => {
  const text = generatedFiles()['public/llms.txt']!
  const pages = readSections().flatMap((section) => section.pages)
  expect(pages.length).toBeGreaterThan(25)
  for (const { path, title } of pages)
    if (path !== 'agents') expect(text).toContain(`[${title}](https://hv-router.github.io/router/${path})`)
  expect(pages.filter(({ path, title }) => title === path)).toEqual([])
})
