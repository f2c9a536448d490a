// What the pictures say is what the library does, and what the pages show.
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { api, explain, inherit, resources, version } from '@hv/router'
import { describe, expect, it } from 'vitest'
import { blocksOf } from '../tools/pages.ts'
import { demo } from './.vitepress/theme/demo.ts'
import { otherPages, readSections } from './pages.ts'

const root = resolve(import.meta.dirname, '..')
/** The labels of a diagram. */
const labelsOf = (name: string): readonly string[] =>
  [
    ...readFileSync(join(import.meta.dirname, `.vitepress/theme/${name}.vue`), 'utf8').matchAll(
      /<text[^>]*>([^<]+)</g,
    ),
  ].map(([, label]) => label!)

describe('the diagram', () => {
  it('of a request has the decisions that explain() reports', () => {
    const labels = labelsOf('RequestDiagram')
    const routes = api(
      { vendorString: 'acme' },
      version(1, resources('users', { only: 'show' })),
      version(2, inherit({ from: 1 })),
    )
    const [request, accept] = labels
    const [method, path] = request!.split(' ')
    const { result, steps } = explain(routes, {
      method: method!,
      path: path!,
      accept: accept!.replace('Accept: …', 'application/vnd.acme+json'),
    })
    if (result.kind !== 'match') throw new Error(result.code)
    expect(steps.slice(0, 4)).toEqual([
      'application/vnd.acme+json;version=2: version 2.',
      'application/json;q=0.5: the default version, 1.',
      'Acceptable versions, best first: 2, 1.',
      `Version 2 has ${request}.`,
    ])
    expect(labels).toEqual(
      expect.arrayContaining([
        'asks for version 2',
        'any: the default, 1',
        'best first',
        'version 2 has the route',
        result.row.pattern,
        `${result.row.controller}#${result.row.action}`,
        `params: id = ${result.params['id']}`,
      ]),
    )
    expect(labels.filter((label) => /^\d$/.test(label))).toEqual(['2', '1'])
  })

  it('of the lifecycle has the statuses and headers of each phase', () => {
    const life = {
      deprecated: '2027-01-01',
      brownouts: [['2027-05-04T14:00Z', '2027-05-04T15:00Z']] as const,
      sunset: '2027-07-01',
      successor: 2,
    }
    const users = resources('users', { only: 'index' })
    const serving = api({ vendorString: 'acme' }, version(1, life, users), version(2, users))
    const deleted = api(
      { vendorString: 'acme', defaultVersion: 2 },
      version(1, { sunset: '2027-07-01', successor: 2 }),
      version(2, users),
    )
    const at = (routes: Parameters<typeof explain>[0], date: string) => {
      const request = {
        method: 'GET',
        path: '/api/users',
        accept: 'application/vnd.acme+json;version=1',
      }
      const { result, problem } = explain(routes, request, { now: () => Date.parse(date) })
      const headers = result.kind === 'match' ? result.row.life!.headers.map(([name]) => name) : []
      return { status: problem?.status ?? 200, headers, successor: problem?.successor }
    }
    expect(at(serving, '2027-02-01')).toMatchObject({
      status: 200,
      headers: ['deprecation', 'sunset'],
    })
    expect(at(serving, '2027-05-04T14:30Z')).toMatchObject({ status: 410 })
    expect(at(serving, '2027-08-01')).toMatchObject({ status: 410, successor: 2 })
    expect(at(deleted, '2028-01-01')).toMatchObject({ status: 410, successor: 2 })
    expect(labelsOf('LifecycleDiagram')).toEqual([
      'deprecated',
      'brownout',
      'sunset',
      'deleted',
      '200',
      '200 with headers',
      '410',
      '410',
      'Deprecation, Sunset',
      'and a successor',
      'one line left',
      'brownout: 410 for an hour',
    ])
  })
})

it('the front page shows the responses of the tutorial', () => {
  const blocks = blocksOf('docs/guide/change-a-payload.md')
  for (const { version: number, lines } of demo.bodies) {
    const request = `curl http://localhost:3000${demo.path} -H "Accept: ${demo.accept}${number}"\n`
    const output = blocks[blocks.findIndex(({ text }) => text === request) + 1]!.text
    expect(output).toBe(`${JSON.stringify(JSON.parse(lines.join('')))}\n`)
  }
})

describe('the pages', () => {
  const pages = [
    ...readSections().flatMap((section) => section.pages.map(({ path }) => path)),
    ...otherPages,
  ]

  it('are all in the sidebar, or linked from the home page', () => {
    const files = ['guide', 'reference', 'packages', '.'].flatMap((folder) =>
      readdirSync(join(import.meta.dirname, folder))
        .filter((file) => file.endsWith('.md'))
        .map((file) => join(folder, file.slice(0, -'.md'.length))),
    )
    const forMaintainers = ['maintaining']
    expect([...pages, ...forMaintainers].toSorted()).toEqual(files.toSorted())
  })

  // What fits the column of a page at 1,440 pixels; output and commands wrap there. The script on the page for Nest teams is for
  // copying, and is short rather than narrow.
  it.each(pages.filter((page) => page !== 'guide/coming-from-nestjs'))(
    '%s has code that nobody has to scroll',
    (page) => {
      const source = /^<!--@include: \.\.\/\.\.\/(\S+)-->/.exec(
        readFileSync(join(root, `docs/${page}.md`), 'utf8'),
      )?.[1]
      const tooLong = blocksOf(source ?? `docs/${page}.md`)
        .filter(({ language }) => ['ts', 'js'].includes(language))
        .flatMap(({ text }) => text.split('\n').filter((line) => line.length > 76))
      expect(tooLong).toEqual([])
    },
  )
})
