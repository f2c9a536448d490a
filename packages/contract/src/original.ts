// The original Ruby gem's test cases, over real sockets, on every adapter.
import { describe, expect, it } from 'vitest'
import { useApp } from './client.ts'
import { originalCases } from './original-cases.ts'
import type { AdapterUnderTest } from './types.ts'

export function runOriginal(adapter: AdapterUnderTest): void {
  describe(`the original's cases on ${adapter.name}`, () => {
    describe.each(Object.entries(originalCases))('%s', (title, { requests }) => {
      const { ask } = useApp(adapter, `original: ${title}`)
      it.each(requests)('%s %s as %j → %s', async (method, path, accept, served) => {
        const { status, body } = await ask(path, accept, method)
        expect(status === 200 ? body['served'] : status).toBe(served)
      })
    })
  })
}
