// An app may have two copies of the package, an ES module and a CommonJS one.
import { expect, it } from 'vitest'
import { ClientError } from '../src/index.ts'

it("recognizes another copy's errors, and nothing else", async () => {
  const path = '../src/client-error.ts?copy'
  const copy: typeof import('../src/client-error.ts') = await import(path)
  expect(copy.ClientError).not.toBe(ClientError)
  const error = new copy.ClientError('users.show', new Response(null, { status: 500 }), null)
  expect(error instanceof ClientError).toBe(true)
  expect(Object.keys(error)).toEqual(['name', 'status', 'problem', 'body', 'response'])
  for (const other of [new Error('ClientError'), { name: 'ClientError' }, null, 'ClientError'])
    expect(other instanceof ClientError).toBe(false)
})
