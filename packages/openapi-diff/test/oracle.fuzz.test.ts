// Pairs of schemas, and what Ajv says about values near them: a value that was accepted and is refused is a break, and no break
// is silent. FUZZ_RUNS is the number of pairs, up to 200,000, and HV_SEED=7 starts with the pair 7.
import { expect, it } from 'vitest'
import { isAll } from '../../../tools/test-all.ts'
import { type Judgement, judge, shrink } from './oracle/oracle.ts'
import { type SchemaPair, createPair } from './oracle/schemas.ts'

const { FUZZ_RUNS: runs, HV_SEED: first } = process.env
const count = Math.min(Number(runs ?? (isAll ? 5000 : 300)), 200_000)
/** Always the same pairs in CI, so that no change fails by chance. `npm run fuzz` draws others. */
const seed = Number(first ?? (runs === undefined ? 1 : Date.now() % 1_000_000_000))

it(`finds the breaks of ${count} pairs, from seed ${seed}`, () => {
  const counts = { breaks: 0, 'no findings': 0, 'too large': 0 }
  const doubtful: string[] = []
  for (let own = seed; own < seed + count; own++) {
    const pair = createPair(own)
    const judgements = judge(pair, own)
    if (judgements === null) counts['too large']++
    for (const judgement of judgements ?? []) {
      const { direction, findings, findLost } = judgement
      if (isSilent(judgement, 100)) throw silence(pair, own, direction)
      if (findings.length === 0) counts['no findings']++
      // What's found in one of ten pairs is checked as well.
      else if (own % 10 === 0) {
        if (findLost(100) !== undefined) counts.breaks++
        else if (runs !== undefined && isDoubtful(judgement))
          doubtful.push(`${own} ${direction}: ${findings.map(({ message }) => message).join('; ')}`)
      }
    }
  }
  if (runs !== undefined)
    console.log(
      counts,
      `errors without a value that proves them: ${doubtful.length}\n${doubtful.join('\n')}`,
    )
  expect(counts.breaks * 100).toBeGreaterThan(count)
  expect(counts['no findings'] * 2).toBeGreaterThan(count)
  expect(counts['too large'] * 20).toBeLessThan(count)
}, 3_600_000)

it.each([863_628_269, 20_325_480, ...Array.from({ length: 20 }, (_, n) => n)])(
  'loses no value of the pair %i if nothing changes',
  (own) => {
    for (const side of Object.values(createPair(own)) as readonly SchemaPair['older'][])
      for (const { findings, findLost } of judge({ older: side, newer: side }, own)!)
        expect([findings, findLost(500)]).toEqual([[], undefined])
  },
)

/**
 * Whether a value that's sent isn't read, and no error tells about it. An enum's new values and a new
 * format are warnings, as decided.
 */
const isSilent = ({ findings, findLost }: Judgement, values: number): boolean =>
  !findings.some(
    ({ severity, message }) => severity === 'error' || / new$| format /.test(message),
  ) && findLost(values) !== undefined

/**
 * Whether no value proves an error, although values that are sent have what the error is about. What's
 * gone, and a format, are promises that no value breaks.
 */
const isDoubtful = ({ findings, findLost, countAt }: Judgement): boolean =>
  findLost(1000, true) === undefined &&
  findings.some(({ severity, unclear, message }) => {
    const [, place = ''] = /: (?:(\/\S+) )?/.exec(message)!
    const isPresent = !/ required| missing/.test(message)
    return (
      severity === 'error' &&
      !unclear &&
      !/ gone$| format\b/.test(message) &&
      countAt(isPresent ? place : place.replace(/\/[^/]*$/, '')) > 20
    )
  })

/** Tells about the smallest pair whose break is silent as well. */
function silence(pair: SchemaPair, own: number, direction: Judgement['direction']): Error {
  const judgementOf = (other: SchemaPair) =>
    judge(other, own)?.find(
      (judgement) => judgement.direction === direction && isSilent(judgement, 200),
    )
  const { older, newer } = shrink(pair, (other) => judgementOf(other) !== undefined)
  return new Error(
    `HV_SEED=${own} FUZZ_RUNS=1: no error is found in a ${direction}, but ${JSON.stringify(judgementOf({ older, newer })?.findLost(200))} is sent and not read\n` +
      `older ${JSON.stringify(older)}\nnewer ${JSON.stringify(newer)}`,
  )
}
