// What `check --lock --documents` and `diff` say about webhooks, which the API sends and clients receive.
import { describe, expect, it } from 'vitest'
import { createProject } from '../project.ts'

const routesFile = `import { api, inherit, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme', path: '' },
  version(1, resources('users', { only: 'show' })),
  version(2, inherit({ from: 1 })))\n`
const text = { type: 'string' }

/** A version's document, as `openapi()` writes it for an event. */
const documentOf = (webhooks: Readonly<Record<string, object>>) => ({
  openapi: '3.1.0',
  info: { title: 'Acme', version: '1' },
  paths: { '/users/{id}': { get: { responses: {} } } },
  webhooks: Object.fromEntries(
    Object.entries(webhooks).map(([name, properties]) => {
      const data = { type: 'object', properties, required: Object.keys(properties) }
      const schema = { type: 'object', properties: { data }, required: ['data'] }
      const requestBody = { required: true, content: { 'application/json': { schema } } }
      return [name, { post: { operationId: name, requestBody, responses: { '2XX': {} } } }]
    }),
  ),
})
const created = { id: text, name: text }
const both = { 'users.created': created, 'users.deleted': { id: text } }
const projectOf = (v1: Readonly<Record<string, object>>, v2 = v1) =>
  createProject({
    'routes.ts': routesFile,
    'documents.json': JSON.stringify({ 1: documentOf(v1), 2: documentOf(v2) }),
  })
const documents = ['--documents', 'documents.json']

describe('check --lock', () => {
  const checkAfter = async (v1: Readonly<Record<string, object>>) => {
    const { hv, write } = projectOf(both)
    await hv('check', '--update-lock', ...documents)
    write({ 'documents.json': JSON.stringify({ 1: documentOf(v1), 2: documentOf(both) }) })
    return hv('check', '--lock', ...documents)
  }

  it('finds a lost event', async () => {
    const { code, out } = await checkAfter({ 'users.created': created })
    expect(code).toBe(1)
    expect(out).toMatch(/^error +lost-operation +version 1: webhook users\.deleted: POST: /m)
  })

  it("finds a payload's lost field, which a receiver reads", async () => {
    const { code, out } = await checkAfter({ ...both, 'users.created': { id: text } })
    expect(code).toBe(1)
    expect(out).toMatch(
      /^error +response-widened +version 1: webhook users\.created: POST: .*name/m,
    )
  })

  it('accepts a new field and a new event, unlike a new required field of a request', async () => {
    const more = { ...both, 'users.created': { ...created, email: text }, 'users.moved': created }
    expect((await checkAfter(more)).code).toBe(0)
  })
})

describe('diff', () => {
  const renamed = { 'users.created': { id: text, fullName: text } }

  it('finds a lost event and a changed payload', async () => {
    const { out } = await projectOf(both, renamed).hv('diff', '1', '2', ...documents)
    expect(out).toMatch(/error +lost-operation +webhook users\.deleted: POST/)
    expect(out).toMatch(/error +response-widened +webhook users\.created: POST: .*\/data\/name/)
    expect(out).not.toContain('request-narrowed')
  })

  it('lists them in its guide', async () => {
    const { out } = await projectOf(both, renamed).hv('diff', '1', '2', ...documents, '--guide')
    expect(out).toBe(`## From version 1 to 2

Send \`Accept: application/vnd.acme+json;version=2\`.

### Removed

- \`webhook users.deleted: POST\`

### Responses that differ

- body: \`data/name\` is gone (in \`webhook users.created: POST\`)

### New

- body: \`data/fullName\` (in \`webhook users.created: POST\`)
`)
  })
})
