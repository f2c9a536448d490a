// Getting started and its second page, followed as a reader would who has the packages of this checkout.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../tools/packed.ts'
import { adaptersOf, blocksOf } from '../tools/pages.ts'
import { some } from '../tools/test-all.ts'
import { checkStarted, followTutorial, tutorialPages } from '../tools/tutorial.ts'

const hasCurl = spawnSync('curl', ['--version']).status === 0
const folderOf = (adapter: string) => join(root, 'docs/.tutorial', adapter)
const [first, second] = tutorialPages
/** A page without its code. */
const proseOf = (page: string) =>
  readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')

describe.skipIf(!hasCurl)('the tutorial', () => {
  it.each(some(adaptersOf(first), 1))('works as written on %s', async (adapter) => {
    rmSync(folderOf(adapter), { recursive: true, force: true })
    mkdirSync(folderOf(adapter), { recursive: true })
    const counts: number[] = []
    let starts = 0
    const onStart: typeof checkStarted = (started, startAgain) =>
      checkStarted(started, starts++ === 0 ? startAgain : undefined)
    for (const page of tutorialPages)
      counts.push(await followTutorial(page, adapter, folderOf(adapter), { onStart }))
    expect(counts).toEqual([6, 3])
  })
})

describe('Getting started', () => {
  const code = blocksOf(first).filter(({ language }) => language === 'ts')
  const text = code.map((block) => block.text).join('\n')

  it('imports five names of ours, and passes three options', () => {
    const imports = [...text.matchAll(/^import \{ (.+) \} from '@hv\//gm)]
    const names = new Set(imports.flatMap(([, list]) => list!.split(', ')))
    expect([...names].toSorted()).toEqual(
      ['api', 'createRouter', 'inherit', 'resources', 'version'].toSorted(),
    )
    const routes = code.filter(({ file }) => file === 'routes.ts').map((block) => block.text)
    const options = new Set([...routes.join('\n').matchAll(/(\w+):/g)].map(([, name]) => name))
    expect([...options].toSorted()).toEqual(['from', 'only', 'vendorString'])
    expect(text).not.toMatch(/createRouter\(routes, \{[^}]*\}, /)
  })

  it('introduces at most five terms', () => {
    const prose = proseOf(first)
    const terms = [...prose.matchAll(/\*\*([^*]+)\*\*/g)].map(([, term]) => term)
    expect(terms).toEqual(['resource', 'action', 'controller', 'default version'])
    // A term that isn't in bold is one that the page doesn't explain.
    const unexplained =
      /negotiat|media type|middleware|brownout|lock file|cache|schema|scope|preview/i
    const [tutorial] = prose.split('## Where to go next')
    expect(unexplained.exec(tutorial!)?.[0]).toBeUndefined()
  })
})

describe('the commands of the tutorial', () => {
  const commands = tutorialPages.flatMap((page) =>
    blocksOf(page).flatMap(({ language, text }) =>
      language === 'sh' ? text.trim().split('\n') : [],
    ),
  )
  // cmd knows neither single quotes nor \ at the end of a line, PowerShell 5 no &&, and zsh reads ? and * as patterns.
  it.each([...new Set(commands)])('work in every shell: %s', (command) => {
    expect(command.replaceAll(/"[^"]*"/g, '')).not.toMatch(/['\\$&|;?*`]|=\S*\s\S*=$/)
    expect(command).not.toMatch(/"[^"]*[$`!%\\][^"]*"/)
  })
})

describe('Change a payload', () => {
  it('introduces three functions for it', () => {
    const imports = blocksOf(second).flatMap(({ text }) => [
      ...text.matchAll(/^import \{ (.+) \} from '@hv\//gm),
    ])
    const names = new Set(imports.flatMap(([, list]) => list!.split(', ')))
    expect([...names].toSorted()).toEqual(['action', 'became', 'before', 'change'])
  })
})
