import { describe, expect, it } from 'vitest'
import { api, cache, createMatcher, explain, inherit, resources, version } from '../../src/index.ts'

const routes = api(
  { vendorString: 'acme', formats: ['json', 'xml'] },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show'] }))),
  version(2, inherit({ from: 'v1' }), resources('teams', { only: 'show' })),
)
const type = 'application/vnd.acme+json'
const rest = {
  406: `406 Version not acceptable: The Accept header matches no version of this API. Send Accept: ${type};version=<n>, where <n> is 1 or 2.`,
  400: `400 Malformed Accept header: The Accept header is malformed. It has at most 50 ranges and 4 KiB, a version is a whole number, and a q-value is from 0 to 1, such as 0.5. Send Accept: ${type};version=<n>, where <n> is 1 or 2.`,
}

describe('explain', () => {
  it.each<[method: string, path: string, accept: string | undefined, steps: string[]]>([
    [
      'GET',
      '/api/users/7',
      undefined,
      [
        "There's no Accept header. The default version applies: 1.",
        'Acceptable versions, best first: 1.',
        'Version 1 has GET /api/users/7.',
        'api/v1/users#show serves the request (/api/users/:id), with id = 7.',
      ],
    ],
    [
      'HEAD',
      '/api/users.xml',
      `${type};version=2;q=0.5, */*;q=0.9`,
      [
        `${type};version=2;q=0.5: version 2.`,
        '*/*;q=0.9: the default version, 1.',
        'Acceptable versions, best first: 1, 2.',
        'Version 1 has GET /api/users.xml.',
        'api/v1/users#index serves the request (/api/users), with format = xml.',
      ],
    ],
    [
      'GET',
      '/api/teams/7',
      `${type};version=1, ${type};version=2;q=0.1`,
      [
        `${type};version=1: version 1.`,
        `${type};version=2;q=0.1: version 2.`,
        'Acceptable versions, best first: 1, 2.',
        "Version 1 doesn't have this path.",
        'Version 2 has GET /api/teams/7.',
        'api/v2/teams#show serves the request (/api/teams/:id), with id = 7, format = json.',
      ],
    ],
    [
      'GET',
      '/api/users/7',
      'text/html, image/*;q=0.2',
      [
        "text/html: a type that this API doesn't serve.",
        "image/*;q=0.2: a type that this API doesn't serve.",
        'The header contains only unrelated types, as a browser sends them. The default version applies: 1.',
        'Acceptable versions, best first: 1.',
        'Version 1 has GET /api/users/7.',
        'api/v1/users#show serves the request (/api/users/:id), with id = 7.',
      ],
    ],
    [
      'PUT',
      '/api/users/7',
      `${type};version=2`,
      [
        `${type};version=2: version 2.`,
        'Acceptable versions, best first: 2.',
        'Version 2 has this path for GET, HEAD, OPTIONS, but not for PUT.',
        '405 Method not allowed: This path supports GET, HEAD, OPTIONS.',
      ],
    ],
    [
      'GET',
      '/api/users',
      `${type};version=7, application/vnd.acme+csv;version=2, application/vnd.other+json, ${type};version=1;q=0, */*`,
      [
        `${type};version=7: version 7 isn't declared (declared: 1, 2).`,
        "application/vnd.acme+csv;version=2: its suffix isn't one of this API's formats.",
        "application/vnd.other+json: another vendor's type.",
        `${type};version=1;q=0: excludes version 1.`,
        '*/*: the default version, 1.',
        'No version is acceptable.',
        rest[406],
      ],
    ],
    [
      'GET',
      '/api/users',
      `${type};version=01, vnd.acme+json, a b`,
      [
        `${type};version=01: malformed, because a version is a whole number without leading zeros.`,
        'vnd.acme+json: malformed.',
        "a b: malformed, but ignored, because it doesn't name this API's type.",
        'No version is acceptable, and a part of the header is malformed.',
        rest[400],
      ],
    ],
    [
      'GET',
      '/api/users',
      'x'.repeat(5000),
      [
        'The Accept header has more than 4 KiB or more than 50 ranges. All of it is malformed.',
        'No version is acceptable, and a part of the header is malformed.',
        rest[400],
      ],
    ],
    [
      'OPTIONS',
      '/api/users/7',
      undefined,
      [
        "There's no Accept header. The default version applies: 1.",
        'Acceptable versions, best first: 1.',
        'The response to OPTIONS covers all versions: 204, Allow: GET, HEAD, OPTIONS.',
      ],
    ],
    [
      'GET',
      '/other',
      undefined,
      [
        "There's no Accept header. The default version applies: 1.",
        'Acceptable versions, best first: 1.',
        'No version has this path, so the app handles the request.',
      ],
    ],
    [
      'GET',
      '/api/user/7?page=2',
      undefined,
      [
        "There's no Accept header. The default version applies: 1.",
        'Acceptable versions, best first: 1.',
        'No version has this path, so the app handles the request. Did you mean /api/users/:id?',
      ],
    ],
    [
      'GET',
      '/api/user?page=2',
      undefined,
      [
        "There's no Accept header. The default version applies: 1.",
        'Acceptable versions, best first: 1.',
        'No version has this path, so the app handles the request. Did you mean /api/users?',
      ],
    ],
    [
      'GET',
      '/api/users/%zz',
      undefined,
      [
        "There's no Accept header. The default version applies: 1.",
        'Acceptable versions, best first: 1.',
        '400 Malformed path: The path contains an invalid percent-encoding. Send a literal percent sign as %25.',
      ],
    ],
  ])('%s %s with %j', (method, path, accept, steps) => {
    const explained = explain(routes, { method, path, accept })
    expect(explained.steps).toEqual(steps)
    const { result, problem } = explained
    expect(result).toEqual(createMatcher(routes).match(method, path, accept))
    const isProblem =
      result.kind === 'miss' && result.status !== 204 && result.code !== 'unknown-path'
    expect(problem?.status ?? null).toBe(isProblem ? result.status : null)
  })
})

describe('explain, of an API that changes with time', () => {
  const ending = api(
    { vendorString: 'acme', defaultVersion: 2, only: 'index' },
    version(1, { sunset: '2027-01-01', successor: 2 }, resources('users')),
    version(
      2,
      { brownouts: [['2027-06-01', '2027-06-02']] },
      resources('users'),
      resources('teams', { sunset: '2027-02-01' }),
    ),
    version(3, resources('users')),
  )
  const stepsAt = (now: string, accept?: string, path = '/api/users') =>
    explain(ending, { method: 'GET', path, accept }, { now: () => Date.parse(now) }).steps

  it('names the default version', () =>
    expect(stepsAt('2027-03-01')).toEqual([
      "There's no Accept header. The default version applies: 2.",
      'Acceptable versions, best first: 2.',
      'Version 2 has GET /api/users.',
      'api/v2/users#index serves the request (/api/users).',
    ]))
  it('says which versions have an outage', () =>
    expect(stepsAt('2027-06-01', `${type};version=1, ${type};version=2`)).toEqual([
      `${type};version=1: version 1.`,
      `${type};version=2: version 2.`,
      'Acceptable versions, best first: 1, 2.',
      'Version 1 was retired on 2027-01-01T00:00:00Z.',
      'Version 2 is in a brownout until 2027-06-02T00:00:00Z.',
      '410 Scheduled brownout: This is a scheduled brownout before the retirement. Requests are served again from 2027-06-02T00:00:00Z.',
    ]))
  it('says that a route has an outage, and which version serves the request then', () => {
    expect(stepsAt('2027-03-01', `${type};version=2`, '/api/teams')).toEqual([
      `${type};version=2: version 2.`,
      'Acceptable versions, best first: 2.',
      'The route of version 2 was retired on 2027-02-01T00:00:00Z.',
      '410 Endpoint retired: This endpoint was retired on 2027-02-01T00:00:00Z.',
    ])
    expect(stepsAt('2027-03-01', `${type};version=1, ${type};version=3`).slice(2)).toEqual([
      'Acceptable versions, best first: 1, 3.',
      'Version 1 was retired on 2027-01-01T00:00:00Z.',
      'Version 3 has GET /api/users.',
      'api/v3/users#index serves the request (/api/users), with format = json.',
    ])
  })
  it('says that a path with an extension redirects, unless the API declares formats', () => {
    const nodes = version(1, resources('users', { only: 'show' }))
    const request = { method: 'GET', path: '/api/users/7.json?a=b' }
    const { steps, result } = explain(api({ vendorString: 'acme' }, nodes), request)
    expect(steps.slice(-2)).toEqual([
      'Express and fetch redirect to ./7?a=b first (308), because api() declares no formats. Fastify serves the path as it is.',
      'api/v1/users#show serves the request (/api/users/:id), with id = 7, format = json.',
    ])
    expect(result.kind).toBe('match')
    const declared = api({ vendorString: 'acme', formats: ['json'] }, nodes)
    expect(explain(declared, request).steps).toEqual(steps.toSpliced(-2, 1))
  })
  it('says that a version is required', () => {
    const strict = api(
      { vendorString: 'acme', requireVersion: true },
      version(1, resources('users')),
    )
    const detail = `400 Version required: This API requires a version. Send Accept: ${type};version=1.`
    expect(explain(strict, { method: 'GET', path: '/api/users' }).steps).toEqual([
      "There's no Accept header. The API requires a version, so no default applies.",
      'No version is acceptable.',
      detail,
    ])
    expect(explain(strict, { method: 'GET', path: '/api/users', accept: '*/*' }).steps).toEqual([
      '*/*: asks for no version, and this API requires one.',
      'No version is acceptable.',
      detail,
    ])
  })
})
