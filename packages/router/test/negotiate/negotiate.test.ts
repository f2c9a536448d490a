import { describe, expect, it } from 'vitest'
import fc from '../../../../tools/fast-check.ts'
import { createAcceptCache } from '../../src/negotiate/accept-cache.ts'
import { api, resources, version } from '../../src/index.ts'
import { createNegotiator } from '../../src/negotiate/negotiate.ts'
import { parseAccept } from '../../src/negotiate/parse-accept.ts'

const versions = [
  version(1, resources('users')),
  version(2, resources('users')),
  version(10, resources('users')),
]
const create = (options: object = {}) =>
  createNegotiator(
    api({ vendorString: 'acme', formats: 'any', ...options } as never, ...(versions as never[]))
      .settings,
  )

/** `2v+json 1`: version 2 by the vendor type with suffix json, then version 1; or the status of the refusal. */
const outcome = (accept: string | undefined, negotiate = create()): string => {
  const { acceptable, malformed } = negotiate(accept ?? '')
  if (acceptable.length === 0) return malformed ? '400' : '406'
  return acceptable
    .map(
      ({ version, usesVendorType, format }) =>
        `${version}${usesVendorType ? 'v' : ''}${format === null ? '' : `+${format}`}`,
    )
    .join(' ')
}

const ours = 'application/vnd.acme+json'
const rows: [accept: string | undefined, expected: string][] = [
  // the default version
  [undefined, '1'],
  ['', '1'],
  ['  \t ', '1'],
  [', ,', '1'],
  ['*/*', '1'],
  ['application/*', '1'],
  ['application/json', '1'],
  ['APPLICATION/JSON; charset=utf-8', '1'],
  [ours, '1v+json'],
  [`${ours};`, '1v+json'],
  [`${ours} ; `, '1v+json'],
  ['application/vnd.acme', '1v'],
  // a version by name
  [`${ours};version=2`, '2v+json'],
  [`${ours}; version=2`, '2v+json'],
  [`${ours} ; version = 2`, '2v+json'],
  [`\t${ours}\t;\tversion\t=\t2\t`, '2v+json'],
  [`${ours};version="2"`, '2v+json'],
  [`${ours};version="\\2"`, '2v+json'],
  ['Application/VND.Acme+JSON;Version=2', '2v+json'],
  ['application/vnd.acme + json; version=2', '2v+json'],
  ['application/vnd.acme +json;version=2', '2v+json'],
  ['application/vnd.acme+ json;version=2', '2v+json'],
  ['application/vnd.acme;version=2', '2v'],
  ['application/vnd.acme+xml;version=2', '2v+xml'],
  [`${ours};version=10`, '10v+json'],
  [`${ours};charset=utf-8;version=2`, '2v+json'],
  [`${ours};version=2;charset=utf-8`, '2v+json'],
  [`${ours};profile="a,b;version=9";version=2`, '2v+json'],
  [`${ours};flag;version=2;`, '2v+json'],
  [`${ours};;version=2;;`, '2v+json'],
  [`${ours};version=2;version=2`, '2v+json'],
  [`${ours};myversion=9;version=2`, '2v+json'],
  // not declared
  [`${ours};version=0`, '406'],
  [`${ours};version=3`, '406'],
  [`${ours};version=99`, '406'],
  [`${ours};version=100000000000000000000000000000`, '406'],
  [`${ours};version=20`, '406'],
  // malformed versions: never a prefix match
  ...['abc', '1.5', '-1', '01', '1e1', '', '+1', '0x1', '1a', '" 2"', '"2 "', '""', '१'].map(
    (text): [string, string] => [`${ours};version=${text}`, '400'],
  ),
  [`${ours};version`, '400'],
  [`${ours};version=1;version=2`, '400'],
  [`${ours};version=2;version=`, '400'],
  [`${ours};version=1 2`, '400'],
  [`${ours};version=99, ${ours};version=x`, '400'],
  [`${ours};version=x;q=0`, '400'],
  // malformed ranges that don't name the vendor: as unrelated as text/html
  ['application', '1'],
  ['/json', '1'],
  ['application/', '1'],
  ['application / json', '1'],
  ['application/json charset', '1'],
  ['a b', '1'],
  ['a b, text/html;q=0', '1'],
  [`a b, ${ours};version=2;q=0`, '406'],
  [`a b, ${ours};version=99`, '406'],
  ['a b, application/vnd.other+json', '406'],
  ['application/vnd.other+json;q=2', '1'],
  ['*/*;q=2, application/json;q=0', '406'],
  ['application/json;q=x, application/json', '1'],
  // malformed ranges that name it
  ['vnd.acme', '400'],
  ['VND.Acme', '400'],
  ['json vnd.acmecorp', '400'],
  [`text/html;a="${ours}`, '400'],
  [`${ours};version=2;q=2, ${ours};version=99`, '400'],
  [`${ours};version=2;q=x;q=0`, '400'],
  [`${ours};q=2, */*;q=0.1`, '1'],
  // weights: decimal numbers from 0 to 1
  [`${ours};version=2;q=.5, ${ours};version=1;q=0.6`, '1v+json 2v+json'],
  [`${ours};version=2;q=0.12345, ${ours};version=1;q=0.12346`, '1v+json 2v+json'],
  [`${ours};version=2;q=1.0000`, '2v+json'],
  [`${ours};version=2;q=0., */*`, '1'],
  [`${ours};version=2;q=00`, '406'],
  [`${ours};version=2;q=.`, '400'],
  [`${ours};version=2;q=0.1.2`, '400'],
  [`${ours};version=2;q=1e-1`, '400'],
  // an asterisk alone
  ['*', '1'],
  ['*; q=.2', '1'],
  ['* ;q=0', '406'],
  [`*;q=0, ${ours};version=2`, '2v+json'],
  ['*;q=2', '1'],
  ['* a', '1'],
  [`${ours};version=2\u0000`, '400'],
  [`${ours};version="2`, '400'],
  [`${ours};a="b`, '400'],
  [`${ours};version="2"x`, '400'],
  [`${ours};=2`, '400'],
  [`${ours};version=2;q=abc`, '400'],
  [`${ours};version=2;q=5`, '400'],
  [`${ours};version=2;q=1.001`, '400'],
  [`${ours};version=2;q=-1`, '400'],
  [`${ours};version=2;q=`, '400'],
  [`${ours};version=2;q`, '400'],
  [`text/html;q=x`, '1'],
  ['"text/html, application/json"', '1'],
  [`${ours};version=1,5`, '1v+json'], // two ranges, of which the second is unrelated
  [`a b, ${ours};version=2`, '2v+json'],
  [`"open, ${ours};version=2`, '400'],
  [`${ours};version=x, */*`, '1'],
  // rank: q first, an explicit version before the rest, then header order
  [`${ours};version=1;q=0.1, ${ours};version=2;q=0.9`, '2v+json 1v+json'],
  [`${ours};version=1, ${ours};version=2`, '1v+json 2v+json'],
  [`${ours};version=2, ${ours};version=1`, '2v+json 1v+json'],
  [`*/*, ${ours};version=2`, '2v+json 1'],
  [`application/json, ${ours};version=2, ${ours}`, '2v+json 1'],
  [`application/json, ${ours};version=2;q=0.9`, '1 2v+json'],
  [`${ours};q=0.3;version=2, */*;q=0.301`, '1 2v+json'],
  [`${ours};version=99, */*;q=0.1`, '1'],
  [`${ours};version=2;q=0.5;q=0.9, ${ours};version=1;q=0.7`, '1v+json 2v+json'],
  [`${ours};version=2;Q=0.5, ${ours};version=1;q=0.7`, '1v+json 2v+json'],
  [`application/vnd.acme+xml;version=2;q=0.5, ${ours};version=2`, '2v+json'],
  [`text/html;q=0.8, ${ours};version=2`, '2v+json'],
  // q=0
  [`${ours};version=2;q=0`, '406'],
  [`${ours};version=2;q=0, */*`, '1'],
  [`${ours};version=1;q=0, */*`, '406'],
  [`${ours};version=1;q=0.0, application/json`, '406'],
  [`${ours};version=1;q=0.000, ${ours}`, '406'],
  [`${ours};version=1;q=0, ${ours};version=2;q=0.1`, '2v+json'],
  [`${ours};q=0, ${ours};version=1`, '1v+json'],
  [`${ours};q=0, */*`, '406'],
  ['application/json;q=0, */*', '406'],
  ['*/*;q=0, application/json', '1'],
  ['*/*;q=0', '406'],
  // foreign types
  ['text/html', '1'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/webp', '1'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', '1'],
  ['text/html;q=0', '406'],
  ['text/html, */*;q=0', '406'],
  ['application/vnd.other+json', '406'],
  ['application/vnd.other+json;version=2', '406'],
  ['application/vnd.other+json, text/html', '406'],
  ['application/vnd.other+json, */*', '1'],
  ['application/vnd.acmex+json;version=2', '406'],
  ['application/vnd.acme.x+json;version=2', '406'],
  ['application/vnd.acme+a+b;version=2', '406'],
  ['application/vnd.acme+;version=2', '406'],
  ['text/vnd.acme+json;version=2', '406'],
  ['application/json;version=2', '1'],
  ['*/*;version=2', '1'],
  ['application/xml;version=abc', '1'],
  // the weight's grammar
  [`${ours};version=2;q=1`, '2v+json'],
  [`${ours};version=2;q=1.`, '2v+json'],
  [`${ours};version=2;q=1.000`, '2v+json'],
  [`${ours};version=2;q=0.001`, '2v+json'],
  [`${ours};version=2;q = 0.5`, '2v+json'],
  [`${ours};version=2;q=0.`, '406'],
  [`${ours};version=2;Q=0`, '406'],
  [`${ours};version=2;q=1;q=abc`, '2v+json'],
  [`${ours};version=2;q=.5`, '2v+json'],
  [`${ours};version=2;q=1e0`, '400'],
  [`${ours};version=2;q="0.5"`, '400'],
  [`${ours};version=2;q=0,5`, '406'],
  [`${ours};version=2;q=infinity`, '400'],
  // more versions
  [`${ours};version=2;version="2"`, '2v+json'],
  [`${ours};version = "10"`, '10v+json'],
  [`${ours};VERSION=10`, '10v+json'],
  [`${ours};version=1, version=2`, '1v+json'],
  [`${ours};version=2;version=02`, '400'],
  [`${ours};version=2.0`, '400'],
  [`${ours};version=2%20`, '400'],
  [`${ours};version=v2`, '400'],
  [`${ours};version=latest`, '400'],
  [`${ours};version=*`, '400'],
  [`${ours};version="\\\\2"`, '400'],
  [`${ours};version='2'`, '400'],
  [`${ours};version=__proto__`, '400'],
  [`${ours};version=constructor`, '400'],
  [`${ours};version=Infinity`, '400'],
  [`${ours};version=NaN`, '400'],
  [`${ours};version=2147483648`, '406'],
  [`${ours};version=9007199254740993`, '406'],
  // more parameters
  [`${ours};x=";version=1";version=2`, '2v+json'],
  [`${ours};x="\\"";version=2`, '2v+json'],
  [`${ours};x="a,b", text/html`, '1v+json'],
  [`${ours};x=;version=2`, '2v+json'],
  [`${ours};x="é";version=2`, '2v+json'],
  [`${ours};__proto__=1;version=2`, '2v+json'],
  [`${ours};xversion=1;versionx=10;version=2`, '2v+json'],
  [`${ours};x=y=z;version=2`, '400'],
  [`${ours};"x"=1;version=2`, '400'],
  [`${ours};x=é;version=2`, '400'],
  [`${ours} version=2`, '400'],
  [`${ours}:version=2`, '400'],
  [`${ours},version=2`, '1v+json'],
  // list elements
  [`,${ours};version=2`, '2v+json'],
  [`${ours};version=2,`, '2v+json'],
  [`${ours};version=2 , , text/html`, '2v+json'],
  [`,,,${ours};version=2;q=0.5,,${ours};version=10`, '10v+json 2v+json'],
  // more types
  ['*/*/*', '1'],
  ['a/b/c', '1'],
  ['vnd.acme+json;version=2', '400'],
  ['é/json', '1'],
  [`${ours};version=2\r\nX: y`, '400'],
  [`${ours};version=2\u007f`, '400'],
  ['*/json', '1'],
  ['application/*+json', '1'],
  ['application/xml', '1'],
  ['application/x.acme+json;version=2', '1'],
  ['image/*;q=0.2, text/*', '1'],
  ['*/*;q=0.5', '1'],
  ['application/vnd.*', '406'],
  ['application/vnd.ac;version=2', '406'],
  ['application/vnd.acme2+json;version=2', '406'],
  ['application/vnd.acme.v2+json', '406'],
  ['application/vnd.acme++json;version=2', '406'],
  ['application/vnd.acme+vnd.api+json;version=2', '406'],
  ['text/html, application/vnd.other+json;q=0', '406'],
  ['application/vnd.acme+Json;version=2', '2v+json'],
  ['application/vnd.acme+yaml;version=2', '2v+yaml'],
  // more ranks
  [`${ours};q=0.5, ${ours};version=2;q=0.5`, '2v+json 1v+json'],
  [
    `${ours};version=10;q=0.2, ${ours};version=2;q=0.20, ${ours};version=1;q=0.3`,
    '1v+json 10v+json 2v+json',
  ],
  ['*/*;q=0.9, application/json;q=0.1', '1'],
  [`${ours};version=2;q=0.5, application/json;q=0.8, */*;q=0.1`, '1 2v+json'],
  [`${ours};version=2, application/vnd.acme+xml;version=2`, '2v+json'],
  [`application/vnd.acme+xml;version=2, ${ours};version=2`, '2v+xml'],
  [`${ours};version=99, ${ours};version=2;q=0.1`, '2v+json'],
  // ranks of ranges that aren't in order: repeated versions, several formats, types without a version
  [
    `${ours};version=10;q=0.1, ${ours};version=2;q=0.5, ${ours};version=1;q=0.5, ${ours};version=2;q=0.5`,
    '2v+json 1v+json 10v+json',
  ],
  [`${ours};version=2;q=0.1, ${ours};version=1;q=0.5, ${ours};version=2;q=0.9`, '2v+json 1v+json'],
  [
    `${ours};version=2;q=0.001, ${ours};version=1;q=0.01, ${ours};version=10;q=0.1`,
    '10v+json 1v+json 2v+json',
  ],
  [`${ours};version=2;q=0.5, application/vnd.acme+xml;version=2;q=0.9`, '2v+xml'],
  [`${ours};version=2;q=0.5, application/vnd.acme;version=2`, '2v'],
  [`application/vnd.acme;version=2;q=0.5, ${ours};version=2`, '2v+json'],
  ['application/vnd.acme+null;version=2;q=0.5, application/vnd.acme;version=2', '2v'],
  ['application/vnd.acme;version=2;q=0.5, application/vnd.acme+*;version=2', '2v+*'],
  [`*/*;q=0.5, ${ours};q=0.5, ${ours};version=2;q=0.5, application/json;q=0.9`, '1 2v+json'],
  [`*/*;q=0.5, ${ours};q=0.5, ${ours};version=2;q=0.9`, '2v+json 1'],
  [`${ours};q=0.5, */*;q=0.5, ${ours};version=2;q=0.9`, '2v+json 1v+json'],
  [`${ours};q=0.5, ${ours};version=1;q=0.5, ${ours};version=2;q=0.9`, '2v+json 1v+json'],
  [
    `application/vnd.acme.v2+json;q=0.9, ${ours};version=1;q=0.1, ${ours};version=10;q=0.5`,
    '10v+json 1v+json',
  ],
  [`v/2+json, ${ours};version=1;q=0.1, ${ours};version=10;q=0.5`, '10v+json 1v+json'],
  // more exclusions
  [`${ours};version=2;q=0, ${ours};version=2`, '406'],
  [`application/vnd.acme+xml;version=2;q=0, ${ours};version=2`, '2v+json'],
  [`${ours};version=2;q=0, application/vnd.acme+xml;version=2`, '2v+xml'],
  [`${ours};version=10;q=0, ${ours};version=2;q=0`, '406'],
  ['application/*;q=0, application/json', '1'],
  ['application/json;q=0, application/*', '406'],
  [`*/*;q=0, ${ours}`, '1v+json'],
  [`*/*;q=0, ${ours};version=2`, '2v+json'],
  ['text/html;q=0, */*', '1'],
  ['application/vnd.acme;q=0, application/vnd.acme', '406'],
  // size
  [`${ours};version=2;pad=${'x'.repeat(4096 - ours.length - ';version=2;pad='.length)}`, '2v+json'],
  [`${ours};version=2;pad=${'x'.repeat(4097 - ours.length - ';version=2;pad='.length)}`, '400'],
  [`${Array.from({ length: 50 }, () => 'text/html').join(', ')}`, '1'],
  [`${Array.from({ length: 51 }, () => 'text/html').join(', ')}`, '400'],
  [`${', '.repeat(200)}${ours};version=2`, '2v+json'],
]

describe('negotiation', () => {
  it.each(rows)('%j → %s', (accept, expected) => expect(outcome(accept)).toBe(expected))

  it('answers the same from its cache', () => {
    const negotiate = createAcceptCache(create())
    for (const round of [1, 2, 3])
      for (const [accept, expected] of rows)
        expect(outcome(accept, negotiate), `${round}: ${accept}`).toBe(expected)
  })

  it.each([
    ['text/html', '406'],
    ['text', '406'],
    ['text/html;q=2', '406'],
    [undefined, '1'],
    ['*/*', '1'],
    ['*', '1'],
    ['application/json', '1'],
    [`${ours};version=2`, '2v+json'],
  ])('strict: %j → %s', (accept, expected) =>
    expect(outcome(accept, create({ strict: true }))).toBe(expected),
  )

  it.each([
    ['application/vnd.acme+xml;version=2', '406'],
    ['application/vnd.acme+JSON;version=2', '2v+json'],
    ['application/vnd.acme;version=2', '2v'],
    [`application/vnd.acme+xml;version=2, ${ours};version=1`, '1v+json'],
  ])("formats ['json']: %j → %s", (accept, expected) =>
    expect(outcome(accept, create({ formats: ['json'] }))).toBe(expected),
  )

  it('sorts as many ranges as a header may have', () => {
    const ranges = Array.from(
      { length: 50 },
      (_, i) => `${ours};version=${[1, 2, 10][i % 3]};q=0.${100 + i}`,
    )
    expect(outcome(ranges.join())).toBe('2v+json 1v+json 10v+json')
  })

  it('reads a vendor string as text, not as a pattern', () => {
    const negotiate = create({ vendorString: 'a.c-me' })
    expect(outcome('application/vnd.a.c-me+json;version=2', negotiate)).toBe('2v+json')
    expect(outcome('application/vnd.abc-me+json;version=2', negotiate)).toBe('406')
  })

  it('reports the versions asked for', () => {
    expect(create()(`${ours};version=99, ${ours};version=0, ${ours};version=99`).requested).toEqual(
      [99, 0],
    )
  })

  it('takes the named default version', () => {
    expect(outcome(undefined, create({ defaultVersion: 2 }))).toBe('2')
  })

  it('freezes what a miss carries of its cached answer', () => {
    expect(Object.isFrozen(create()(`${ours};version=7`).requested)).toBe(true)
  })

  it('never throws, and never serves a version that no digits of the header name', () => {
    const negotiate = create({ defaultVersion: 1 })
    const alphabet = fc.constantFrom(
      ...` \t,;="\\/*+qv012.x`,
      'version=',
      ours,
      'application/vnd.acme',
      '*/*',
      ';q=',
      '\u0000',
      'é',
    )
    fc.assert(
      fc.property(
        fc.array(alphabet, { maxLength: 30 }).map((parts) => parts.join('')),
        (accept) => {
          const { acceptable } = negotiate(accept)
          for (const { version } of acceptable)
            expect(
              version === 1 ||
                new RegExp(`version[ \\t]*=[ \\t]*(${version}|".*")`, 'i').test(accept),
            ).toBe(true)
          expect(negotiate(accept)).toEqual(create({ defaultVersion: 1 })(accept))
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('parseAccept', () => {
  it('keeps what it read of each range', () => {
    expect(parseAccept('Text/HTML;q=0.5;version="a\\"b", */*')).toEqual([
      { type: 'text/html', q: 0.5, version: 'a"b', malformed: false },
      { type: '*/*', q: 1, version: null, malformed: false },
    ])
  })
})
