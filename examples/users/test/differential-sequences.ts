// Random sequences of requests and commands, as plain data that fast-check can shrink.
import fc from '../../../tools/fast-check.ts'

/** A request. Users and sessions are numbered in the order in which the sequence creates them. */
export interface Request {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** The session whose token is sent: 0 is the newest. */
  readonly as: number | 'nobody'
  readonly version: number
  /** The user in the path, or text in place of the id. */
  readonly user?: number | string
  readonly query?: string
  /** The user whose id replaces the query's `@`. */
  readonly after: number
  /** An object is sent as JSON, and a string as it is. */
  readonly body?: object | string
  /** Replaces the credentials by right ones: at a login this user's, else the session's user's. */
  readonly account?: number | undefined
}

export interface Command {
  readonly command:
    | 'promote'
    | 'demote'
    | 'end all sessions'
    | 'unlock'
    | 'let the password expire'
    | 'renew'
  readonly user: number
}

export type Operation = Request | Command

const from = fc.constantFrom
const rarely = <T, U>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: rare })

// Each list has values that some collation or comparison takes for the same.
const usernames = rarely(
  from('eve', 'Eve', 'EVE', 'kim', 'kim.', 'k-im', 'k_im', 'root', 'Root', 'x'.repeat(32)),
  from<unknown>(
    'évé',
    'eve ',
    'ｋim',
    'K\u0131m',
    'ki\u0000m',
    'k%m',
    "o'k",
    '',
    'x'.repeat(33),
    7,
  ),
)
const passwords = rarely(
  from('correct horse', 'another horse', 'e\u0301cole buissonnie\u0300re', 'école buissonnière'),
  from<unknown>('password1', 'short', 'x'.repeat(129), 'nul\u0000nul-nul', '\ud83d lone half', 7),
)
const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  from<unknown>(
    null,
    'A',
    'a',
    'a ',
    'Ä',
    '🐎'.repeat(200),
    'x'.repeat(201),
    '\\\' " `',
    '\u0000',
    7,
  ),
)
const users = fc.nat({ max: 4 })
const ids = rarely(
  fc.oneof(from('self' as const, 'self' as const), users),
  from('0', '-1', '1.0', '%31', '1e1', '９', '9007199254740991', '9007199254740992'),
)
const common = {
  as: rarely(fc.nat({ max: 3 }), from('nobody' as const)),
  version: from(1, 1, 1, 1, 2, 2, 2, 2, 3),
  after: users,
}

const login = fc.record({
  ...common,
  method: from('POST' as const),
  path: from('/users/login'),
  account: rarely(users, from(undefined)),
  body: fc.record({ username: usernames, password: passwords }),
})
const creation = fc.record({
  ...common,
  as: fc.oneof(from('nobody' as const), common.as),
  method: from('POST' as const),
  path: from('/users'),
  body: fc.record(
    { username: usernames, password: passwords, name: texts },
    {
      requiredKeys: ['username', 'password'],
    },
  ),
})
const list = fc.record({
  ...common,
  method: from('GET' as const, 'HEAD' as const),
  path: from('/users'),
  query: from(
    '',
    '?limit=1',
    '?limit=2&after=@',
    '?after=@',
    '?limit=0',
    '?after=-1',
    '?limit=1&limit=2',
  ),
})
const show = fc.record({
  ...common,
  method: from('GET' as const, 'HEAD' as const),
  path: from('/users/:id'),
  user: ids,
})
const change = fc.record({
  ...common,
  method: from('PUT' as const),
  path: from('/users/:id'),
  user: ids,
  account: from(0, 0, 0, undefined),
  body: fc.record({ username: usernames, password: passwords, name: texts }, { requiredKeys: [] }),
})
const removal = fc.record({
  ...common,
  method: from('DELETE' as const),
  path: from('/users/:id', '/users/:id/sessions'),
  user: ids,
})
const oddBody = fc.record({
  ...common,
  method: from('POST' as const),
  path: from('/users', '/users/login'),
  body: from(
    '{',
    '[]',
    'null',
    '1e999',
    '{"__proto__":{},"username":"eve","password":"correct horse"}',
    '{"username":"eve","username":"kim","password":"correct horse"}',
  ),
})
const command = fc.record({
  command: from<Command['command']>(
    'promote',
    'promote',
    'demote',
    'unlock',
    'end all sessions',
    'let the password expire',
    'renew',
  ),
  user: users,
})

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 5, arbitrary: login },
  { weight: 4, arbitrary: creation },
  { weight: 2, arbitrary: list },
  { weight: 2, arbitrary: show },
  { weight: 6, arbitrary: change },
  { weight: 2, arbitrary: removal },
  { weight: 2, arbitrary: command },
  { weight: 1, arbitrary: oddBody },
) as fc.Arbitrary<Operation>

/** Starts with an admin, `root`, who is logged in. */
export const sequences = fc.record({
  config: from('open' as const, 'limited' as const, 'closed' as const),
  operations: fc
    .tuple(
      fc.array(creation, { minLength: 2, maxLength: 4 }),
      fc.array(login, { minLength: 1, maxLength: 3 }),
      fc.array(operation, { minLength: 8, maxLength: 18, size: 'max' }),
    )
    .map((steps) => steps.flat()),
})
