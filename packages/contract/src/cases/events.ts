// Events beside the actions of routes: an app sends each subscriber the payload of its version.
import { describe, expect, it } from 'vitest'
import { useApp } from '../client.ts'
import { acceptOf } from '../fixture.ts'
import type { AdapterUnderTest } from '../types.ts'

export function describeEvents(adapter: AdapterUnderTest): void {
  describe('events', () => {
    const { ask } = useApp(adapter, 'events')

    it.each([
      [1, { id: '1', name: 'Ann' }],
      [2, { id: '1', fullName: 'Ann' }],
    ])("have the payload of the subscriber's version: %i", async (number, user) => {
      const { status, body } = await ask('/api/events', acceptOf(number))
      expect([status, body]).toEqual([200, { api_version: number, user }])
    })
  })
}
