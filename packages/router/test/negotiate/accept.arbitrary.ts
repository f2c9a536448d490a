// Accept headers that are nearly right, for an API of the vendor acme with the versions 1, 2 and 10.
import fc from '../../../../tools/fast-check.ts'

const space = fc.constantFrom('', '', '', ' ', '\t', '  ')
const number = fc.constantFrom(
  '1',
  '2',
  '10',
  '3',
  '0',
  '01',
  '1.5',
  '"2"',
  '"\\2"',
  '" 2"',
  '',
  '"',
  'abc',
  '99999999999999999999',
)
const quality = fc.constantFrom(
  '0',
  '0.0',
  '0.1',
  '0.5',
  '0.55',
  '1',
  '1.000',
  '5',
  '.5',
  'x',
  '',
  '0.1234',
  '0.',
  '1.0001',
  '.',
  '"1"',
)
const type = fc.constantFrom(
  'application/vnd.acme+json',
  'application/vnd.acme',
  'application/vnd.acme+xml',
  'APPLICATION/VND.ACME+JSON',
  'application/vnd.acme + json',
  'application/vnd.acme+',
  'application/vnd.acme+a+b',
  'application/vnd.other+json',
  'text/vnd.acme+json',
  'application/json',
  'application/*',
  '*/*',
  'text/html',
  '*',
  'vnd.acme',
  'application/ vnd.acme+json',
  'text',
  'text/',
  '/html',
  'text / html',
  'te(xt/html',
  'image/png',
)
const parameter = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom('version', 'Version', 'VERSION'),
        space,
        fc.constantFrom('=', '=', '=', ''),
        space,
        number,
      )
      .map((parts) => parts.join('')),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('q', 'Q'), space, fc.constantFrom('=', '=', '=', ''), space, quality)
      .map((parts) => parts.join('')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'charset=utf-8',
      'profile="a,b;version=9"',
      'flag',
      'x=',
      'x="open',
      'a b',
      'é',
      'x="é"',
      '=1',
      'x=\u0000',
      'x="\\"", y',
    ),
  },
)
const range = fc
  .tuple(
    space,
    type,
    fc.array(fc.tuple(space, fc.constant(';'), space, parameter), { maxLength: 3 }),
    space,
  )
  .map(
    ([before, name, parameters, after]) =>
      before + name + parameters.map((parts) => parts.join('')).join('') + after,
  )
export const acceptHeader = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: range },
      { weight: 1, arbitrary: fc.constantFrom('', ' ', '"', 'a,b') },
    ),
    {
      maxLength: 5,
    },
  )
  .map((ranges) => ranges.join(','))
