// What `check --lock` reports of a released version besides its routes, and what it accepts.
import { describe, expect, it } from 'vitest'
import { createProject } from '../project.ts'

const declare = (options: string, nodes: string) =>
  `import { api, get, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme'${options} }, version(1, ${nodes}), version(2, ${nodes}))\n`
const users = "resources('users', { only: 'show' })"

async function compare(before: string, after: string) {
  const { hv, write, read } = createProject({ 'src/routes.ts': before })
  await hv('check', '--update-lock')
  write({ 'src/routes.ts': after })
  const { code, out } = await hv('check', '--lock')
  return { code, lines: out.trim().split('\n').slice(0, -1), lock: read('routes.lock.json') }
}

const constrained = (pattern: string) => `resources('users', { only: 'show', constraints: { id: ${pattern} } })`

describe('check --lock', () => {
  const refused: readonly (readonly [
    what: string,
    before: [string, string?],
    after: [string, string?],
    line: string,
  ])[] = [
    [
      'another vendor string',
      [''],
      [", vendorString: 'acne'"],
      "changed-vendor  the vendor string is released as 'acme' and changed to 'acne': requests that name a version get 406",
    ],
    [
      'another default version',
      [''],
      [', defaultVersion: 2'],
      'changed-default  requests without a version are released with version 1, and changed to version 2',
    ],
    [
      'a required version',
      [''],
      [', requireVersion: true'],
      'changed-default  requests without a version are released with version 1, and changed to status 400',
    ],
    [
      'a removed format',
      [", formats: ['json', 'xml']"],
      [", formats: ['json']"],
      'changed-formats  the formats are released, and lost xml',
    ],
    ['no formats', [''], [', formats: false'], 'changed-formats  the formats are released, and lost json'],
    [
      'any format',
      [''],
      [", formats: 'any'"],
      'changed-formats  the formats are released, and changed from ["json"] to "any"',
    ],
    [
      'strictness',
      [''],
      [', strict: true'],
      'changed-strictness  strict is new: browsers, whose Accept header names no version, get 406 now',
    ],
    [
      'a new constraint',
      ['', users],
      ['', constrained(String.raw`/\d+/`)],
      String.raw`changed-constraint  version 1 is released, and GET /api/users/:id(.:format): the constraint of id has /\d+/`,
    ],
    [
      'another constraint of a renamed parameter',
      ['', constrained(String.raw`/\d+/`)],
      ['', String.raw`resources('users', { only: 'show', param: 'key', constraints: { key: /[a-z]+/i } })`],
      String.raw`changed-constraint  version 2 is released, and GET /api/users/:key(.:format): the constraint of key changed from /\d+/ to /[a-z]+/i`,
    ],
  ]
  it.each(refused)('finds %s', async (_what, before, after, line) => {
    const { code, lines } = await compare(declare(before[0], before[1] ?? users), declare(after[0], after[1] ?? users))
    expect(code).toBe(1)
    expect(lines).toContain(line)
  })

  const accepted: readonly (readonly [what: string, before: [string, string?], after: [string, string?]])[] = [
    ['renamed parameters', [''], ['', "resources('users', { only: 'show', param: 'slug' })"]],
    ['another format', [''], [", formats: ['json', 'xml']"]],
    ['no strictness', [', strict: true'], ['']],
    ['no required version', [', requireVersion: true'], ['']],
    ['the oldest version as the default', [''], [", defaultVersion: 'oldest'"]],
    ['the removal of a constraint', ['', constrained(String.raw`/\d+/`)], ['']],
    [
      'a constraint of a new route',
      [''],
      ['', `${users}, get('teams/:id', { to: 'teams#show', constraints: { id: /a/ } })`],
    ],
    [
      'the same constraint of a renamed parameter',
      ['', constrained(String.raw`/\d+/`)],
      ['', String.raw`resources('users', { only: 'show', param: 'key', constraints: { key: /\d+/ } })`],
    ],
  ]
  it.each(accepted)('accepts %s', async (_what, before, after) => {
    const { code, lines } = await compare(declare(before[0], before[1] ?? users), declare(after[0], after[1] ?? users))
    expect({ code, lines }).toEqual({ code: 0, lines: [] })
  })

  it('reads the lock file of an earlier release, and says that it has no settings', async () => {
    const { hv, read } = createProject({
      'src/routes.ts': declare(", vendorString: 'acne', strict: true", users),
      'routes.lock.json': '{ "versions": { "1": { "GET /api/users/:id(.:format)": "users#show" } } }',
    })
    expect(await hv('check', '--lock')).toMatchObject({ code: 0, out: expect.stringContaining('old-lock') })
    await hv('check', '--update-lock')
    expect(JSON.parse(read('routes.lock.json'))).toMatchObject({ lockVersion: 2, settings: { vendor: 'acne' } })
    expect((await hv('check', '--lock')).out).toMatch(/^No findings/)
  })
})
