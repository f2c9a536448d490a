// `diff --documents`: what a client that moves to a later version must change.
import { describe, expect, it } from 'vitest'
import { createProject } from '../project.ts'

const routesFile = `import { api, cache, inherit, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme', path: '' },
  version(1, cache({ as: 'v1' }, resources('users', { only: 'show' }), resources('notes', { only: 'index' }))),
  version(2, inherit({ from: 'v1', except: 'notes' })))\n`
const documentsFile = `const documentOf = (number: number, properties: object, notes: object) => ({
  openapi: '3.1.0',
  info: { title: 'Acme', version: '1' },
  components: { headers: { 'API-Version': { schema: { const: number } } } },
  paths: {
    ...notes,
    '/users/{id}': { get: { responses: { 200: {
      headers: { 'API-Version': { $ref: '#/components/headers/API-Version' } },
      content: { ['application/vnd.acme+json;version=' + number]: { schema: { type: 'object', properties } } },
    } } } },
  },
})
export const documents = {
  1: documentOf(1, { name: { type: 'string' } }, { '/notes': { get: { responses: {} } } }),
  2: documentOf(2, { fullName: { type: 'string' } }, {}),
}\n`
const project = () => createProject({ 'routes.ts': routesFile, 'documents.ts': documentsFile })
const args = ['diff', '1', '2', '--documents', 'documents.ts']

describe('diff --documents', () => {
  it('prints what requests and responses differ in, and not the number of the version', async () => {
    const { code, out } = await project().hv(...args)
    expect(code).toBe(0)
    expect(out).toContain('response-widened  GET /users/{id}: status 200: /name is gone\n')
    expect(out.match(/response-widened/g)).toHaveLength(1)
  })

  it('prints JSON', async () => {
    expect(JSON.parse((await project().hv(...args, '--json')).out)).toMatchObject({
      contract: [{ code: 'lost-operation' }, { code: 'response-widened', direction: 'response' }],
    })
  })

  it('prints a guide', async () => {
    expect((await project().hv(...args, '--guide')).out).toBe(`## From version 1 to 2

Send \`Accept: application/vnd.acme+json;version=2\`.

### Removed

- \`GET /notes\` (notes#index)

### Responses that differ

\`GET /users/{id}\`

- status 200: /name is gone
`)
  })

  it('refuses documents without the version', async () => {
    const { hv } = createProject({ 'routes.ts': routesFile, 'documents.json': '{ "1": { "openapi": "3.1.0" } }' })
    expect(await hv('diff', '1', '2', '--documents', 'documents.json')).toMatchObject({
      code: 2,
      err: expect.stringContaining('the documents have no version 2.'),
    })
  })
})
