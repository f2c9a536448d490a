import { describe, expect, it } from 'vitest'
import { createProject } from '../project.ts'

const documentsOf = (title: string) =>
  `const documentOf = (version: number) => ({ openapi: '3.1.0', info: { title: '${title}', version: String(version) }, paths: {} })\n`

describe('hv-router openapi', () => {
  it.each([
    ['an object', 'export const documents = { 1: documentOf(1), 2: documentOf(2) }'],
    ['a function', 'export const documents = async () => ({ 1: documentOf(1), 2: documentOf(2) })'],
  ])('writes the documents of %s, and nothing the second time', async (_what, line) => {
    const project = createProject({ 'documents.ts': documentsOf('Acme') + line })
    expect(await project.hv('openapi', '--documents', 'documents.ts')).toEqual({
      code: 0,
      out: 'write  openapi/v1.json\nwrite  openapi/v2.json\n',
      err: '',
    })
    expect(JSON.parse(project.read('openapi/v2.json'))).toEqual({
      openapi: '3.1.0',
      info: { title: 'Acme', version: '2' },
      paths: {},
    })
    const again = await project.hv('openapi', '--documents', 'documents.ts')
    expect(again.out).toBe('Every document is up to date.\n')
  })

  it('compares with --check', async () => {
    const project = createProject({
      'documents.ts': `${documentsOf('Acme')}export const documents = { 1: documentOf(1) }`,
    })
    const check = () =>
      project.hv('openapi', '--documents', 'documents.ts', '--out', 'docs/api', '--check')
    expect(await check()).toMatchObject({
      code: 1,
      out: 'differs  docs/api/v1.json\n',
    })
    expect(project.list()).toEqual(['documents.ts'])
    await project.hv('openapi', '--documents', 'documents.ts', '--out', 'docs/api')
    expect(await check()).toMatchObject({ code: 0, out: 'Every document is up to date.\n' })
  })

  it('reports the files of versions that have no document', async () => {
    const project = createProject({
      'documents.ts': `${documentsOf('Acme')}export const documents = { 2: documentOf(2) }`,
      'openapi/v1.json': '{}',
      'openapi/other.json': '{}',
    })
    const unused = 'unused  openapi/v1.json: its version has no document. Delete the file.\n'
    expect(await project.hv('openapi', '--documents', 'documents.ts')).toMatchObject({
      code: 0,
      out: `write  openapi/v2.json\n${unused}`,
    })
    expect(await project.hv('openapi', '--documents', 'documents.ts', '--check')).toMatchObject({
      code: 1,
      out: unused,
    })
  })

  it.each([
    ['no such file', 'other.ts', '', "other.ts doesn't exist."],
    [
      'a module that throws',
      'documents.ts',
      'throw new Error("no database")',
      "documents.ts couldn't be loaded: no database",
    ],
    [
      'no documents',
      'documents.ts',
      'export const other = 1',
      "documents.ts doesn't export documents by version.",
    ],
    [
      'something else',
      'documents.ts',
      'export const documents = { latest: {} }',
      "documents.ts doesn't export documents by version.",
    ],
  ])('refuses %s', async (_what, name, text, message) => {
    const project = createProject({ 'documents.ts': text })
    const { code, err } = await project.hv('openapi', '--documents', name)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})
