// A project with four versions, for the tests and the picture of `report`: one is retired, one is deprecated, one is a preview.

const user = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const text = { type: 'string' }
const operation = (schema: object) => ({
  responses: { 200: { content: { 'application/json': { schema } } } },
})
const name = user({ id: text, name: text })
const names = user({ id: text, first: text, last: text })
const team = user({ id: text, title: text })
const documentOf = (userSchema: object, teamSchema: object, more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Acme', version: '1' },
  paths: {
    '/api/users': { get: operation({ type: 'array', items: userSchema }) },
    '/api/users/{id}': { get: operation(userSchema) },
    '/api/teams': { get: operation({ type: 'array', items: teamSchema }) },
    ...more,
  },
})
export const documents = {
  2: documentOf(name, team),
  3: documentOf(names, team),
  4: documentOf(names, user({ id: text, title: text, members: { type: 'integer' } })),
}
const changes = { 2: [{ about: 'A user has a first and a last name.' }] }

export const reportFiles: Readonly<Record<string, string>> = {
  'src/routes.ts': `import { api, cache, inherit, resources, version } from '@hv/router'

export const routes = api(
  { vendorString: 'acme', defaultVersion: 3 },
  version(1, { deprecated: '2026-01-01', sunset: '2026-09-01', successor: 2 }),
  version(
    2,
    {
      deprecated: '2027-01-01',
      sunset: '2027-07-01',
      docs: 'https://docs.acme.example/from-2-to-3',
      successor: 3,
      brownouts: [
        ['2027-04-06T14:00Z', '2027-04-06T15:00Z'],
        ['2027-06-01T14:00Z', '2027-06-02T14:00Z'],
      ],
    },
    cache({ as: 'v2' }, resources('users', { only: ['index', 'show'] }), resources('teams', { only: 'index' })),
    resources('sessions', { only: 'create' }),
  ),
  version(3, cache({ as: 'v3' }, inherit({ from: 'v2' }), resources('invoices', { only: ['index', 'show'] }))),
  version(4, { preview: true }, inherit({ from: 'v3' }), resources('exports', { only: 'create' })),
)
`,
  'documents.ts': `export const documents = ${JSON.stringify(documents)}
export const changes = ${JSON.stringify(changes)}
`,
  'usage.json': JSON.stringify({
    2: {
      'acme-ios': { calls: 48_210, last: '2027-05-11T21:04:00Z' },
      'billing-sync': { calls: 1440, last: '2027-05-12T05:00:00Z' },
      'old-reports': { calls: 3, last: '2027-01-19T08:30:00Z' },
    },
    3: { web: { calls: 912_440, last: '2027-05-12T07:59:00Z' } },
  }),
}
