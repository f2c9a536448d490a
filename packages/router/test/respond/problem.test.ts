import { describe, expect, it } from 'vitest'
import { createAddHeaders } from '../../src/adapter.ts'
import { createAnswer } from '../../src/internal.ts'
import {
  type Match,
  type Miss,
  api,
  createMatcher,
  get,
  post,
  resources,
  version,
} from '../../src/index.ts'

describe('the response in a brownout', () => {
  const answerAt = (now: string, window: readonly [from: string, to: string], sunset: string) => {
    const routes = api(
      { vendorString: 'acme', only: 'index' },
      version(1, { sunset, brownouts: [window] }, resources('users')),
    )
    const found = createMatcher(routes, { now: () => Date.parse(now) }).match(
      'GET',
      '/api/users',
      undefined,
    )
    if (found.kind !== 'miss') throw new Error('a miss was expected')
    const answer = createAnswer(routes, new Map()).refuse(found)
    if (answer.kind !== 'problem') throw new Error('a problem was expected')
    return { detail: answer.problem!.detail, headers: answer.headers }
  }

  it('says when requests are served again', () =>
    expect(answerAt('2027-06-01', ['2027-06-01', '2027-06-02'], '2027-07-01').detail).toBe(
      'This is a scheduled brownout before the retirement on 2027-07-01T00:00:00Z. Requests are served again from 2027-06-02T00:00:00Z.',
    ))
  it('promises nothing when the version ends with it', () =>
    expect(answerAt('2027-06-30', ['2027-06-30', '2027-07-01'], '2027-07-01').detail).toBe(
      "This is a scheduled brownout before the retirement on 2027-07-01T00:00:00Z. Requests aren't served again.",
    ))
  it('asks for a retry in the first whole second after it', () =>
    expect(
      answerAt('2027-06-01', ['2027-06-01', '2027-06-01T12:00:00.001Z'], '2027-07-01').headers,
    ).toContainEqual(['retry-after', 'Tue, 01 Jun 2027 12:00:01 GMT']))
  it("isn't cached where the app caches its responses", () => {
    const response = new Map([['cache-control', 'public, max-age=3600']])
    const addHeaders = createAddHeaders<typeof response>(
      (headers, name) => headers.get(name),
      (headers, name, value) => headers.set(name, value),
    )
    addHeaders(response, answerAt('2027-06-01', ['2027-06-01', '2027-06-02'], '2027-07-01').headers)
    expect(response.get('cache-control')).toBe('no-store')
  })
})

describe('the answer to a request', () => {
  const routes = api(
    { vendorString: 'acme' },
    version(1, get('users', { to: 'users#index' })),
    version(
      2,
      get('users', { to: 'users#index' }),
      post('users', { to: 'users#create' }),
      get('teams', { to: 'teams#index' }),
    ),
    version(3, { preview: true }, get('users', { to: 'users#index' })),
  )
  const { match } = createMatcher(routes)
  const problemOf = (method: string, version: string, path = '/api/users') => {
    const found = match(method, path, `application/vnd.acme;version=${version}`)
    return found.kind === 'miss' ? createAnswer(routes, new Map()).refuse(found).problem : null
  }

  it('names the versions that have the method', () => {
    expect(problemOf('POST', '1')).toMatchObject({
      status: 405,
      allow: ['GET', 'HEAD', 'OPTIONS'],
      availableIn: [2],
      detail:
        'In this version, this path supports GET, HEAD, OPTIONS. Another version has the method you sent. ' +
        'Send Accept: application/vnd.acme+json;version=2.',
    })
    expect(problemOf('PUT', '1')).not.toHaveProperty('availableIn')
  })
  it.each([
    ['PUT', '1', 'This path supports GET, HEAD, OPTIONS.'],
    [
      'GET',
      '9',
      "Version 9 doesn't exist. Send Accept: application/vnd.acme+json;version=<n>, where <n> is 1 or 2.",
    ],
    [
      'GET',
      '1;q=0',
      'The Accept header matches no version of this API. Send Accept: application/vnd.acme+json;version=<n>, where <n> is 1 or 2.',
    ],
    [
      'GET',
      'x',
      'The Accept header is malformed. It has at most 50 ranges and 4 KiB, a version is a whole number, and a q-value is from 0 to 1, such as 0.5. Send Accept: application/vnd.acme+json;version=<n>, where <n> is 1 or 2.',
    ],
  ])('says what to do: %s of version %s', (method, version, detail) => {
    expect(problemOf(method, version)).toMatchObject({ detail })
  })
  it.each([
    ['1', "Version 1 doesn't have this endpoint."],
    ['1, application/vnd.acme;version=1', "Version 1 doesn't have this endpoint."],
    ['1, application/vnd.acme;version=3', "This version doesn't have this endpoint."],
  ])('names a version that was the only one: %s', (versions, detail) => {
    expect(problemOf('GET', versions, '/api/teams')).toMatchObject({
      detail: `${detail} Send Accept: application/vnd.acme+json;version=2.`,
    })
  })
  it("names the successor of what's retired", () => {
    const ended = api(
      { vendorString: 'acme' },
      version(1, { sunset: '2027-01-01', successor: 2 }, get('users', { to: 'users#index' })),
      version(2, get('users', { to: 'users#index' })),
      version(3, get('users', { to: 'users#index' })),
    )
    const { match: find } = createMatcher(ended, { now: () => Date.parse('2027-01-01') })
    const miss = find('GET', '/api/users', 'application/vnd.acme;version=1') as Miss
    expect(createAnswer(ended, new Map()).refuse(miss)).toMatchObject({
      problem: {
        detail:
          'Version 1 was retired on 2027-01-01T00:00:00Z. ' +
          'Send Accept: application/vnd.acme+json;version=2.',
      },
    })
  })
  it('names no version that JSON would change', () => {
    expect(problemOf('GET', '9007199254740991')).toMatchObject({ requested: [2 ** 53 - 1] })
    expect(problemOf('GET', '9'.repeat(400))).not.toHaveProperty('requested')
    for (const large of ['9007199254740993', '9'.repeat(22), '9'.repeat(400)])
      expect(problemOf('GET', large)!.detail).toMatch(/^The Accept header matches no version/)
  })
  it('is the same after an app has written to a match', () => {
    const { serve } = createAnswer(routes, new Map())
    const find = () => match('GET', '/api/users', 'application/vnd.acme;version=2') as Match
    const changed = serve(Object.assign(find(), { version: 9 }))
    expect(changed).toEqual({ ...serve(find()), match: { ...find(), version: 9 } })
    expect(changed.headers).toContainEqual(['api-version', '2'])
  })
})
