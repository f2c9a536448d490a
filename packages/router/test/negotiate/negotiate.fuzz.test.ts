// The negotiation against the oracle, on headers that are nearly right. FUZZ_RUNS=1000000 makes it long.
import { describe, expect, it } from 'vitest'
import fc from '../../../../tools/fast-check.ts'
import { api, resources, version } from '../../src/index.ts'
import { createNegotiator } from '../../src/negotiate/negotiate.ts'
import { acceptHeader } from './accept.arbitrary.ts'
import { negotiateByTheBook } from './negotiate.oracle.ts'

const numRuns = Number(process.env['FUZZ_RUNS'] ?? 1000)
const versions = [
  version(1, resources('x')),
  version(2, resources('x')),
  version(10, resources('x')),
] as const

describe('negotiation', () => {
  it.each([
    { strict: false, defaultVersion: 1, formats: 'any' as const },
    { strict: true, defaultVersion: 2, formats: ['json'] },
  ])(
    `agrees with the book under %j, ${numRuns} headers`,
    ({ formats, ...options }) => {
      const negotiate = createNegotiator(
        api({ vendorString: 'Acme', ...options, formats } as never, ...versions).settings,
      )
      const oracle = { vendor: 'acme', versions: [1, 2, 10], formats, ...options }
      fc.assert(
        fc.property(acceptHeader, (accept) => {
          const { acceptable, malformed } = negotiate(accept)
          const ours =
            acceptable.length > 0 ? acceptable.map(({ version }) => version) : malformed ? 400 : 406
          expect(ours).toEqual(negotiateByTheBook(accept, oracle))
        }),
        { numRuns },
      )
    },
    3_600_000,
  )
})
