import { afterAll, afterEach, beforeAll, expect } from 'vitest'

const methods = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const
const signals = ['warning', 'unhandledRejection'] as const

/**
 * Fails each test of the current `describe` during which something is logged, Node warns, or a
 * rejection stays unhandled.
 */
export function staysQuiet(): void {
  let noise: unknown[] = []
  const original = { ...console }
  const hear = (event: unknown) => void noise.push(event)
  beforeAll(() => {
    for (const method of methods) console[method] = (...texts: unknown[]) => hear(texts)
    for (const signal of signals) process.on(signal, hear)
  })
  afterEach(() => {
    const heard = noise
    noise = []
    expect(heard).toEqual([])
  })
  afterAll(() => {
    Object.assign(console, original)
    for (const signal of signals) process.off(signal, hear)
  })
}
