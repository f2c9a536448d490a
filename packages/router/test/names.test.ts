import { describe, expect, it } from 'vitest'
import { api, hrefs, resource, resources, routeTable, version } from '../src/index.ts'
import { pluralize, singularize } from '../src/names.ts'

describe('singularize', () => {
  const words =
    'people person, men man, women woman, salespeople salesperson, children child, mice mouse, lice louse, oxen ox, quizzes quiz, ' +
    'matrices matrix, vertices vertex, indices index, axes axis, crises crisis, testes testis, octopi octopus, viri virus, ' +
    'aliases alias, statuses status, buses bus, buffaloes buffalo, tomatoes tomato, potatoes potato, heroes hero, analyses analysis, ' +
    'bases basis, diagnoses diagnosis, theses thesis, hypotheses hypothesis, synopses synopsis, hives hive, archives archive, ' +
    'movies movie, series series, miniseries miniseries, species species, sheep sheep, fish fish, news news, jeans jeans, ' +
    'police police, money money, rice rice, equipment equipment, information information, data datum, metadata metadatum, ' +
    'media medium, stadia stadium, bacteria bacterium, criteria criterium, wives wife, knives knife, lives life, halves half, ' +
    'wolves wolf, shelves shelf, elves elf, databases database, shoes shoe, moves move, sexes sex, zombies zombie, ' +
    'queries query, categories category, days day, photos photo, boxes box, addresses address, processes process, ' +
    'houses house, prizes prize, status_codes status_code, node_children node_child, user-media user-medium, ' +
    'waves wave, drives drive, campuses campus, geese geese, status status, basis basis, foo foo'
  it.each(words.split(', ').map((pair) => pair.split(' ') as [string, string]))('%s → %s', (many, one) => {
    expect(singularize(many)).toBe(one)
  })
})

describe('pluralize', () => {
  it.each([
    ['profile', 'profiles'],
    ['person', 'people'],
    ['status', 'statuses'],
    ['news', 'news'],
    ['medium', 'media'],
    ['settings', 'settings'],
    ['user_child', 'user_children'],
  ])('%s → %s', (one, many) => expect(pluralize(one)).toBe(many))
})

describe('the names of irregular words', () => {
  it('follow from their singular; equal forms take _index', () => {
    const routes = api(
      { vendorString: 'x' },
      version(
        1,
        resources('people', { only: ['index', 'show'] }, resources('news', { only: ['index', 'show'] })),
        resource('person', { only: 'show' }),
      ),
    )
    expect(routeTable(routes).map(({ name, path, controller }) => [name, path, controller])).toEqual([
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
      version(1, resources('octopodes', { singular: 'octopus' }, resources('arms', { only: 'index' }))),
    )
    expect(hrefs(routes).arms.index({ octopus_id: 8 })).toBe('/api/octopodes/8/arms')
    expect(routeTable(routes).map(({ name }) => name)).toContain('api_octopus_arms')
  })
})
