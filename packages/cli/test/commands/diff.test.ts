// `diff --documents`: what a client that moves to a later version must change.
import { resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import schema from '../../schema/v1/diff.json' with { type: 'json' }
import { run } from '../../src/run.ts'
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
    expect(out).toContain('error    response-widened  GET /users/{id}: status 200: /name is gone\n')
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

- \`GET /notes\`

### Responses that differ

- status 200: \`name\` is gone (in \`GET /users/{id}\`)

### New

- status 200: \`fullName\` (in \`GET /users/{id}\`)
`)
  })

  it.each([
    ['optional', []],
    ['required', ['fullName']],
  ])('says that a response has a new field which is %s', async (_what, required) => {
    const declared = documentsFile.replace(
      "type: 'object', properties }",
      `type: 'object', properties, required: number === 2 ? ${JSON.stringify(required)} : [] }`,
    )
    const { hv } = createProject({ 'routes.ts': routesFile, 'documents.ts': declared })
    expect(JSON.parse((await hv(...args, '--json')).out)).toMatchObject({
      changed: [
        { differences: [{}, { direction: 'response', text: 'status 200: `fullName` is new' }] },
      ],
    })
  })

  it("names a request field that's gone, and one that's new, once each", async () => {
    const bodyOf = (name: string, optional: object) => ({
      openapi: '3.1.0',
      info: { title: 'Acme', version: '1' },
      paths: {
        '/users/{id}': {
          get: {
            requestBody: {
              content: {
                'application/json': {
                  schema: {
                    properties: { [name]: { type: 'string' }, ...optional },
                    required: [name],
                    additionalProperties: false,
                  },
                },
              },
            },
            responses: {},
          },
        },
      },
    })
    const documents = { 1: bodyOf('name', {}), 2: bodyOf('fullName', { age: {} }) }
    const { hv } = createProject({
      'routes.ts': routesFile,
      'documents.json': JSON.stringify(documents),
    })
    expect((await hv('diff', '1', '2', '--documents', 'documents.json', '--guide')).out)
      .toContain(`### Requests to change

- body: \`fullName\` is new and required (in \`GET /users/{id}\`)
- body: \`name\` is refused from now on (in \`GET /users/{id}\`)

### New

- body: \`age\` (in \`GET /users/{id}\`)
`)
  })

  it('refuses documents without the version', async () => {
    const { hv } = createProject({
      'routes.ts': routesFile,
      'documents.json': '{ "1": { "openapi": "3.1.0" } }',
    })
    expect(await hv('diff', '1', '2', '--documents', 'documents.json')).toMatchObject({
      code: 2,
      err: expect.stringContaining("the documents don't include version 2."),
    })
  })

  it('refuses changes of a different form', async () => {
    const { hv } = createProject({
      'routes.ts': routesFile,
      'documents.ts': `${documentsFile}export const changes = { 1: ['text'] }\n`,
    })
    expect(await hv(...args)).toMatchObject({
      code: 2,
      err: expect.stringContaining("doesn't export changes by version."),
    })
  })

  it('says in the guide that no changes are described', async () => {
    const { hv } = createProject({ 'routes.ts': routesFile, 'documents.ts': documentsFile })
    const { err } = await hv('diff', '1', '2', '--documents', 'documents.ts', '--guide')
    expect(err).toContain('No changes are described, because documents.ts exports none')
  })

  it('describes the changes in between', async () => {
    const { hv } = createProject({
      'routes.ts': routesFile,
      'documents.ts': `${documentsFile}export const changes = { 2: [{ about: 'Later.' }], 1: [{ about: 'First.' }, { about: 'Second.' }] }\n`,
    })
    const { out } = await hv(...args)
    expect(out).toContain('change: First.\nchange: Second.\n')
    expect(out).not.toContain('Later')
    expect((await hv(...args, '--guide')).out).toContain(
      '### Changes\n\n- First.\n- Second.\n\n### Removed\n',
    )
    expect(JSON.parse((await hv(...args, '--json')).out)).toMatchObject({
      changes: ['First.', 'Second.'],
    })
  })

  it.each([
    ['ES module with names', 'documents.mjs', 'export { documents, changes }'],
    ['ES module with a default', 'documents.mjs', 'export default { documents, changes }'],
    ['CommonJS object', 'documents.cjs', 'module.exports = { documents, changes }'],
    [
      'CommonJS module with names',
      'documents.cjs',
      'exports.documents = documents\nexports.changes = changes',
    ],
  ])('reads documents and changes from a module: %s', async (_style, file, exported) => {
    const declared = documentsFile
      .replace('number: number, properties: object, notes: object', 'number, properties, notes')
      .replace('export const documents', 'const documents')
    const { hv } = createProject({
      'routes.ts': routesFile,
      [file]: `${declared}const changes = { 1: [{ about: 'First.' }] }\n${exported}\n`,
    })
    const { out } = await hv('diff', '1', '2', '--documents', file)
    expect(out).toContain('change: First.\n')
    expect(out).toContain('/name is gone')
  })

  it('says which payloads differ', async () => {
    const { hv } = project()
    expect((await hv(...args)).out).toContain(
      'changed  GET  /users/:id  users#show, response differs\nVersion 2, compared with version 1: 0 new, 1 removed, 1 changed.\n',
    )
    expect(JSON.parse((await hv(...args, '--json')).out)).toMatchObject({
      changed: [
        {
          target: 'users#show',
          declaredIn: 1,
          differences: [
            { direction: 'response', text: 'status 200: `name` is gone' },
            { direction: 'response', text: 'status 200: `fullName` is new' },
          ],
        },
      ],
    })
  })
})

describe('diff of the users service, whose version 1 is derived from version 2', () => {
  const diff = async (...more: string[]) => {
    const out: string[] = []
    const cwd = resolve(import.meta.dirname, '../../../../examples/users')
    const io = { cwd, out: { write: (text: string) => out.push(text) }, err: { write: () => {} } }
    expect(await run(['diff', '1', '2', ...more], io)).toBe(0)
    return out.join('')
  }
  const documents = ['--documents', 'documents.ts']

  it('says how to compare payloads', async () => {
    expect(await diff()).toBe(
      'new  DELETE  /users/:id/sessions  users#endSessions\n' +
        'Version 2, compared with version 1: 1 new, 0 removed, 0 changed, 6 inherited from 1.\n' +
        'To compare payloads, pass --documents <module>.\n',
    )
  })

  it('prints what differs', async () => {
    const out = await diff(...documents)
    expect(out).toContain('change: A list of users is an object with the URL of the next page.\n')
    expect(out).toContain(
      "error    response-widened  GET /users: status 200: the body may be object, which isn't array\n",
    )
    expect(out).not.toContain('To compare')
  })

  it('prints the guide', async () => {
    expect(await diff(...documents, '--guide')).toContain(`### Changes

- A list of users is an object with the URL of the next page.

### Responses that differ

- status 200: the body may be object, which isn't array (in \`GET /users\`)

### New

- \`DELETE /users/{id}/sessions\`
`)
  })

  it('prints JSON as its schema says', async () => {
    const printed: unknown = JSON.parse(await diff(...documents, '--json'))
    const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(schema)
    expect(validate(printed), JSON.stringify(validate.errors)).toBe(true)
    expect(printed).toMatchObject({
      changes: [expect.any(String)],
      changed: expect.arrayContaining([expect.objectContaining({ target: 'users#index' })]),
    })
  })
})
