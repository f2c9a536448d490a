import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { api, get, hrefs, resource, resources, routeTable, version } from '../../src/index.ts'
import { pluralize, singularize } from '../../src/declare/inflect.ts'

/** Word, plural, singular: printed by Rails' own inflector (ActiveSupport 6.1.7), which lowers some upper-case endings: AIDS, AIDs. */
const inflections = readFileSync(new URL('./rails-inflections.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [word: string, plural: string, singular: string])
  .filter(([word]) => word === word.toLowerCase())

describe('inflections', () => {
  it(`are those of Rails: ${inflections.length} words`, () => {
    expect(inflections.map(([word]) => [word, pluralize(word), singularize(word)])).toEqual(
      inflections,
    )
  })
})

describe('the name of a verb', () => {
  it.each([
    ['', 'api_team'],
    ['mine', 'api_team_mine'],
    ['/a/b-c//', 'api_team_a_b_c'],
  ])('follows from as: %j', (as, name) => {
    const stats = get('stats', { as })
    const routes = api({ vendorString: 'x' }, version(1, resources('teams', { only: [] }, stats)))
    expect(routeTable(routes).map((row) => row.name)).toEqual([name])
  })
})

describe('the names of irregular words', () => {
  it('follow from their singular; equal forms take _index', () => {
    const routes = api(
      { vendorString: 'x' },
      version(
        1,
        resources(
          'people',
          { only: ['index', 'show'] },
          resources('news', { only: ['index', 'show'] }),
        ),
        resource('person', { only: 'show' }),
      ),
    )
    expect(
      routeTable(routes).map(({ name, path, controller }) => [name, path, controller]),
    ).toEqual([
      ['api_person_news_index', '/api/people/:person_id/news(.:format)', 'api/v1/news'],
      ['api_person_news', '/api/people/:person_id/news/:id(.:format)', 'api/v1/news'],
      ['api_people', '/api/people(.:format)', 'api/v1/people'],
      ['api_person', '/api/people/:id(.:format)', 'api/v1/people'],
      [null, '/api/person(.:format)', 'api/v1/people'],
    ])
  })
  it('take singular from the option', () => {
    const routes = api(
      { vendorString: 'x' },
      version(
        1,
        resources('octopodes', { singular: 'octopus' }, resources('arms', { only: 'index' })),
      ),
    )
    expect(hrefs(routes).arms.index({ octopus_id: 8 })).toBe('/api/octopodes/8/arms')
    expect(routeTable(routes).map(({ name }) => name)).toContain('api_octopus_arms')
  })
})
