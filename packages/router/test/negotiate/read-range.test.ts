import { describe, expect, it } from 'vitest'
import { api, resources, version } from '../../src/index.ts'
import { parseAccept } from '../../src/negotiate/parse-accept.ts'
import { type RangeReading, createRangeReader, hasVersion } from '../../src/negotiate/read-range.ts'

const read = createRangeReader(
  api(
    { vendorString: 'Acme', defaultVersion: 2, formats: ['json', 'xml'] },
    version(2, resources('users')),
    version(1, resources('users')),
  ).settings,
)
const ours = 'application/vnd.acme+json'
const selected = {
  type: ours,
  q: 1,
  version: 2,
  index: 1,
  specificity: 2,
  format: 'json',
  usesVendorType: true,
  source: 'default' as const,
}
const named = { ...selected, specificity: 3, source: 'explicit' as const }

describe('createRangeReader', () => {
  it.each<[range: string, reading: RangeReading]>([
    [`${ours};version=1`, { ...named, version: 1, index: 0 }],
    [`${ours};version=2;q=0.5`, { ...named, q: 0.5 }],
    ['APPLICATION/VND.ACME+XML', { ...selected, type: 'application/vnd.acme+xml', format: 'xml' }],
    ['application/vnd.acme;q=0', { ...selected, type: 'application/vnd.acme', format: null, q: 0 }],
    [
      'application/json;version=1',
      { ...selected, type: 'application/json', format: null, usesVendorType: false },
    ],
    [
      'application/*',
      { ...selected, type: 'application/*', specificity: 1, format: null, usesVendorType: false },
    ],
    ['*/*', { ...selected, type: '*/*', specificity: 0, format: null, usesVendorType: false }],
    ['text', 'foreign'],
    ['application/json;q=2', 'foreign'],
    ['VND.acme', 'malformed'],
    [`${ours};q=2`, 'malformed'],
    [`${ours};version=01`, 'malformed-version'],
    [`${ours};version=1;version=2`, 'malformed-version'],
    ['application/vnd.acme+csv;version=01', 'malformed-version'],
    [`${ours};version=7`, 'undeclared-version'],
    ['application/vnd.acme+csv;version=7', 'undeclared-version'],
    ['application/vnd.acme+csv;version=1', 'unsupported-format'],
    ['application/vnd.acme+csv', 'unsupported-format'],
    ['application/vnd.other+json;version=1', 'other-vendor'],
    ['application/vnd.acme.v1+json', 'other-vendor'],
    ['application/vnd.acme+', 'other-vendor'],
    ['application/vnd.acme+a+json', 'other-vendor'],
    ['text/vnd.acme+json', 'other-vendor'],
    ['text/vnd.acme', 'other-vendor'],
    ['text/vnd.acme+', 'foreign'],
    ['text/vnd.other+json', 'foreign'],
    ['text/html', 'foreign'],
    ['*/json', 'foreign'],
  ])('%s', (range, reading) => {
    expect(parseAccept(range)!.map(read)).toEqual([reading])
  })

  it('says which ranges name their version', () => {
    const readings = parseAccept(
      `${ours};version=1, ${ours}, application/json;version=1, */*`,
    )!.map(read)
    expect(readings.map((reading) => typeof reading === 'object' && hasVersion(reading))).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})
