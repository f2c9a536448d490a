// A version's dates add a status, headers and a mark to its document. To its clients, that's an announcement, never a break.
import { type VersionOptions, api, resources, version, withResponses } from '@hv/router'
import { compareDocuments } from '@hv/openapi-diff'
import { describe, expect, it } from 'vitest'
import { openapi } from '@hv/router-openapi'

const failure = { type: 'object', properties: { message: { type: 'string' } } }

function documentOf(dates: VersionOptions, errors: Readonly<Record<string, object>>) {
  const routes = api(
    { vendorString: 'acme' },
    version(1, dates, resources('users', { only: ['index', 'destroy'] })),
    version(2, resources('users', { only: ['index', 'destroy'] })),
  )
  const index = { schema: { response: { 200: { type: 'array' } } }, handler: () => null }
  const users = { index, destroy: () => null }
  const controllers = withResponses({ users }, errors)
  const info = { title: 'Acme', version: '1' }
  return openapi(routes, { 1: controllers, 2: controllers } as never, { version: 1, info })
}

const announcements: readonly (readonly [what: string, dates: VersionOptions])[] = [
  ['a deprecation', { deprecated: '2026-12-01' }],
  ['a sunset', { deprecated: '2026-12-01', sunset: '2099-12-01' }],
  ['a past sunset', { sunset: '2020-12-01' }],
  ['a sunset that only announces', { sunset: '2099-12-01', retire: 'serve' }],
  ['a brownout', { deprecated: '2026-12-01', sunset: '2099-12-01', brownouts: [['2099-11-01T10:00Z', '2099-11-01T11:00Z']] }], // prettier-ignore
  ['documentation', { deprecated: '2026-12-01', docs: 'https://acme.example/v1' }],
  ['a successor', { deprecated: '2026-12-01', successor: 2 }],
]
const errors: readonly (readonly [what: string, responses: Readonly<Record<string, object>>])[] = [
  ['no', {}],
  ['a 404', { 404: failure }],
  ['a 410', { 410: failure }],
  ['a 4xx', { '4xx': failure }],
  ['a default', { default: failure }],
  ['a 4xx and a default', { '4xx': failure, default: failure }],
]

describe.each(announcements)('%s', (_what, dates) => {
  it.each(errors)(
    'is no break, and neither is withdrawing it, with %s response',
    (_, responses) => {
      const [plain, announced] = [documentOf({}, responses), documentOf(dates, responses)]
      expect(announced).not.toEqual(plain)
      expect(compareDocuments(plain, announced)).toEqual([])
      expect(compareDocuments(announced, plain)).toEqual([])
    },
  )
})
