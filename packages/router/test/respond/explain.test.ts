import { describe, expect, it } from 'vitest'
import { api, cache, createMatcher, explain, inherit, resources, version } from '../../src/index.ts'

const routes = api(
  { vendorString: 'acme', formats: ['json', 'xml'] },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show'] }))),
  version(2, inherit({ from: 'v1' }), resources('teams', { only: 'show' })),
)
const type = 'application/vnd.acme+json'
const rest = {
  406: `406 Version not acceptable: This API has no version that the Accept header allows. Send Accept: ${type};version=<n>, with a version of 1, 2.`,
  400: `400 Malformed Accept header: The Accept header is malformed; a version is a whole number. Send Accept: ${type};version=<n>, with a version of 1, 2.`,
}

describe('explain', () => {
  it.each<[method: string, path: string, accept: string | undefined, story: string[]]>([
    [
      'GET',
      '/api/users/7',
      undefined,
      [
        'No Accept header: the default version, 1.',
        'Versions to ask, best first: 1.',
        'Version 1 has GET /api/users/7.',
        'api/v1/users#show serves it (/api/users/:id(.:format)), with params {"id":"7"} and format null.',
      ],
    ],
    [
      'HEAD',
      '/api/users.xml',
      `${type};version=2;q=0.5, */*;q=0.9`,
      [
        `${type};version=2;q=0.5: version 2.`,
        '*/*;q=0.9: the default version, 1.',
        'Versions to ask, best first: 1, 2.',
        'Version 1 has GET /api/users.xml.',
        'api/v1/users#index serves it (/api/users(.:format)), with params {} and format xml.',
      ],
    ],
    [
      'GET',
      '/api/teams/7',
      `${type};version=1, ${type};version=2;q=0.1`,
      [
        `${type};version=1: version 1.`,
        `${type};version=2;q=0.1: version 2.`,
        'Versions to ask, best first: 1, 2.',
        'Version 1 does not have this path.',
        'Version 2 has GET /api/teams/7.',
        'api/v2/teams#show serves it (/api/teams/:id(.:format)), with params {"id":"7"} and format json.',
      ],
    ],
    [
      'GET',
      '/api/users/7',
      'text/html, image/*;q=0.2',
      [
        'text/html: a type that this API does not serve.',
        'image/*;q=0.2: a type that this API does not serve.',
        'Only foreign types, as browsers send them: the default version, because the API is not strict.',
        'Versions to ask, best first: 1.',
        'Version 1 has GET /api/users/7.',
        'api/v1/users#show serves it (/api/users/:id(.:format)), with params {"id":"7"} and format null.',
      ],
    ],
    [
      'PUT',
      '/api/users/7',
      `${type};version=2`,
      [
        `${type};version=2: version 2.`,
        'Versions to ask, best first: 2.',
        'Version 2 has this path for GET, not for PUT.',
        '405 Method not allowed: This path takes GET, HEAD, OPTIONS.',
      ],
    ],
    [
      'GET',
      '/api/users',
      `${type};version=7, application/vnd.acme+csv;version=2, application/vnd.other+json, ${type};version=1;q=0, */*`,
      [
        `${type};version=7: version 7 is not declared (there are 1, 2).`,
        'application/vnd.acme+csv;version=2: its suffix is none of the formats of this API.',
        "application/vnd.other+json: another vendor's type.",
        `${type};version=1;q=0: never version 1.`,
        '*/*: the default version, 1.',
        'No version is acceptable.',
        rest[406],
      ],
    ],
    [
      'GET',
      '/api/users',
      `${type};version=01, a b`,
      [
        `${type};version=01: malformed, a version is one whole number without leading zeros.`,
        'a range …: malformed.',
        'No version is acceptable, and a range was malformed.',
        rest[400],
      ],
    ],
    [
      'GET',
      '/api/users',
      'x'.repeat(5000),
      [
        'The header is over 4 KiB or over 50 ranges: malformed as a whole.',
        'No version is acceptable, and a range was malformed.',
        rest[400],
      ],
    ],
    [
      'OPTIONS',
      '/api/users/7',
      undefined,
      [
        'No Accept header: the default version, 1.',
        'Versions to ask, best first: 1.',
        'OPTIONS is answered for all versions: 204, Allow: GET, HEAD, OPTIONS.',
      ],
    ],
    [
      'GET',
      '/other',
      undefined,
      [
        'No Accept header: the default version, 1.',
        'Versions to ask, best first: 1.',
        'No version has the path /other: it is left to the app.',
      ],
    ],
    [
      'GET',
      '/api/users/%zz',
      undefined,
      [
        'No Accept header: the default version, 1.',
        'Versions to ask, best first: 1.',
        '400 Malformed path: The path holds a percent sign that is no escape. Send a percent sign as %25.',
      ],
    ],
  ])('%s %s with %j', (method, path, accept, story) => {
    const explained = explain(routes, method, path, accept)
    expect(explained.story).toEqual(story)
    const { result, problem } = explained
    expect(result).toEqual(createMatcher(routes).match(method, path, accept))
    const isProblem = result.kind === 'miss' && result.status !== 204 && result.code !== 'unknown-path'
    expect(problem?.status ?? null).toBe(isProblem ? result.status : null)
  })
})
