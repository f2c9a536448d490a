import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  api,
  cache,
  createMatcher,
  hrefs,
  inherit,
  namespace,
  resources,
  version,
} from '../src/index.ts'
import { type Recording, type Script, differences, eachVersion, record } from '../src/testing.ts'

const routes = api(
  { vendorString: 'acme' },
  version(2, cache({ as: 'v2' }, resources('users', { only: ['index', 'show', 'create'] }))),
  version(10, inherit({ from: 'v2' }), resources('teams', { only: 'index' })),
  version(3, inherit({ from: 'v2' }), namespace('admin', resources('users', { only: 'show' }))),
)
const href = hrefs(routes)

describe('eachVersion', () => {
  const caseOf = (number: number, inheritedFrom: number | null = null) => ({
    version: number,
    headers: { accept: `application/vnd.acme+json;version=${number}` },
    inheritedFrom,
  })

  it('lists every version, lowest first', () => {
    expect(eachVersion(routes)).toEqual([caseOf(2), caseOf(3), caseOf(10)])
  })
  it('lists the versions that have an action', () => {
    expect(eachVersion(routes, 'users', 'show')).toEqual([caseOf(2), caseOf(3, 2), caseOf(10, 2)])
    expect(eachVersion(routes, 'admin/users', 'show')).toEqual([caseOf(3)])
  })
  it('accepts the actions of the route file only', () => {
    // @ts-expect-error users has no action edit
    expect(() => eachVersion(routes, 'users', 'edit')).toThrow(
      "HV_OPTION: eachVersion() requires the action to be one of: users.index, users.create, users.show. Received: 'users.edit'.",
    )
    // @ts-expect-error there is no controller groups
    expect(() => eachVersion(routes, 'groups', 'index')).toThrow(
      "users.show, teams.index, admin/users.show. Received: 'groups.index'.",
    )
    // @ts-expect-error the action is missing
    expect(() => eachVersion(routes, 'users')).toThrow("Received: 'users.undefined'.")
  })

  it('works with node:test', () => {
    const output = execFileSync(
      process.execPath,
      [
        '--conditions=@hv/source',
        '--import',
        'tsx',
        '--test',
        '--test-reporter=tap',
        join(import.meta.dirname, 'each-version.node-test.ts'),
      ],
      {
        encoding: 'utf8',
        cwd: join(import.meta.dirname, '../../..'),
        env: { ...process.env, NODE_TEST_CONTEXT: undefined },
      },
    )
    expect(output).toContain('ok 1 - GET /api/users, version 1')
    expect(output).toContain('ok 2 - GET /api/users, version 2')
    expect(output).toContain('# pass 2')
  })
})

describe('a recording', () => {
  const { match } = createMatcher(routes)

  /** An API of users in memory. Each regression changes one thing in its responses. */
  function createSend(
    regress: (
      response: { status: number; headers: Headers; body: any },
      step: string,
    ) => void = () => {},
  ) {
    const users: string[] = []
    return async (request: Request): Promise<Response> => {
      const { pathname, search } = new URL(request.url)
      const found = match(request.method, pathname, request.headers.get('accept') ?? undefined)
      if (found.kind === 'miss') {
        const refused = {
          status: found.status,
          headers: new Headers({ vary: 'Accept', allow: found.allow?.join(', ') ?? '' }),
          body: { error: found.code },
        }
        regress(refused, 'refused')
        return Response.json(refused.body, refused)
      }
      const answer = {
        status: 200,
        headers: new Headers({
          vary: 'Accept',
          'api-version': String(found.version),
          date: new Date().toUTCString(),
        }),
        body: {} as unknown,
      }
      const step = `${found.row.action}${search}`
      if (found.row.action === 'create') {
        const { name } = (await request.json()) as { name: string }
        users.push(name)
        answer.status = 201
        answer.headers.set('location', href.users.show({ id: users.length }))
        answer.body = { id: users.length, token: `token ${Math.random()}` }
      } else if (request.headers.get('authorization')?.startsWith('token ') !== true) {
        answer.status = 401
        answer.body = 'no token'
      } else if (found.row.action === 'index') {
        answer.body = {
          items: users.map((name, id) => ({ id, name, 'seen/at': Date.now() })),
          next: null,
        }
      } else
        answer.body = {
          id: Number(found.params['id']),
          name: users[Number(found.params['id']) - 1] ?? null,
        }
      regress(answer, step)
      return Response.json(answer.body, answer)
    }
  }

  const authorized = (responses: Readonly<Record<string, { body: unknown }>>) => ({
    authorization: (responses['create']!.body as { token: string }).token,
  })
  const script: Script = {
    create: { method: 'POST', path: href.users.create(), body: { name: 'Dora' } },
    unauthorized: { path: href.users.index() },
    index: (responses) => ({
      path: `${href.users.index()}?limit=1`,
      headers: authorized(responses),
    }),
    show: (responses) => ({ path: href.users.show({ id: 1 }), headers: authorized(responses) }),
    'another version': {
      path: href.users.index(),
      headers: { accept: 'application/vnd.acme+json;version=9' },
    },
    'wrong method': { method: 'DELETE', path: href.users.index() },
  }
  const volatile = ['/token', '/items/*/seen~1at']
  const run = (regress?: Parameters<typeof createSend>[0]) =>
    record(createSend(regress), routes, { version: 2, script, volatile })

  it('is plain JSON with the status, the headers of the contract and the body', async () => {
    const recording = await run()
    expect(recording).toEqual(JSON.parse(JSON.stringify(recording)))
    expect(Object.keys(recording)).toEqual(Object.keys(script))
    expect(recording['create']).toEqual({
      status: 201,
      headers: {
        'content-type': 'application/json',
        vary: 'Accept',
        'api-version': '2',
        location: '/api/users/1',
      },
      body: { id: 1, token: '<string>' },
    })
    expect(recording['unauthorized']).toMatchObject({ status: 401, body: 'no token' })
    expect(recording['index']!.body).toEqual({
      items: [{ id: 0, name: 'Dora', 'seen/at': '<number>' }],
      next: null,
    })
    expect(recording['another version']!.status).toBe(406)
    expect(recording['wrong method']!.headers['allow']).toBe('GET, HEAD, POST, OPTIONS')
  })

  it('is the same in every run', async () => {
    expect(differences(await run(), await run())).toEqual([])
  })

  it('may have other headers', async () => {
    const recording = await record(createSend(), routes, {
      version: 2,
      script,
      volatile,
      headers: ['api-version'],
    })
    expect(recording['create']!.headers).toEqual({ 'api-version': '2' })
  })

  it('requires a declared version', async () => {
    // @ts-expect-error version 4 is not declared
    await expect(record(createSend(), routes, { version: 4, script })).rejects.toThrow(
      'HV_UNKNOWN_VERSION',
    )
  })

  it.each(['createdAt', '', 'items/*/seen~1at'])(
    "rejects the volatile pointer '%s'",
    async (pointer) => {
      await expect(
        record(createSend(), routes, { version: 2, script, volatile: [pointer] }),
      ).rejects.toThrow(
        'HV_OPTION: record() requires volatile to be a list of JSON Pointers, each of which starts with /. ' +
          `Received: ["${pointer}"].`,
      )
    },
  )
  it('rejects a pointer that is not in a list', async () => {
    const wrong = { version: 2, script, volatile: '/createdAt' as never } as const
    await expect(record(createSend(), routes, wrong)).rejects.toThrow(
      'requires volatile to be a list',
    )
  })

  it('keeps a hash of a body that is not UTF-8', async () => {
    const recordingOf = (bytes: readonly number[]) =>
      record(async () => new Response(Uint8Array.from(bytes)), routes, {
        version: 2,
        script: { show: { path: '/' } },
      })
    const released = await recordingOf([0xff, 0x80])
    const hash = createHash('sha256').update(Uint8Array.of(0xff, 0x80)).digest('hex')
    expect(released['show']!.body).toBe(`<2 bytes, sha-256 ${hash}>`)
    expect(differences(released, await recordingOf([0xff, 0x80]))).toEqual([])
    expect(differences(released, await recordingOf([0xff, 0x81]))).toHaveLength(1)
  })

  it.each<[string, Parameters<typeof createSend>[0], string]>([
    [
      'a status',
      (answer, step) => void (step === 'create' && (answer.status = 200)),
      'create: /status was 201, is 200',
    ],
    [
      'a value',
      ({ body }, step) => void (step === 'show' && (body.name = 'D')),
      'show: /body/name was "Dora", is "D"',
    ],
    [
      'a type',
      ({ body }, step) => void (step === 'show' && (body.id = '1')),
      'show: /body/id was 1, is "1"',
    ],
    [
      'null',
      ({ body }, step) => void (step.startsWith('index?') && (body.next = {})),
      'index: /body/next was null, is {}',
    ],
    [
      'a missing field',
      ({ body }, step) => void (step === 'show' && delete body.name),
      'show: /body/name was "Dora", is missing',
    ],
    [
      'a new field',
      ({ body }, step) => void (step === 'show' && (body.email = 'x')),
      'show: /body/email is new: "x"',
    ],
    [
      'a shorter list',
      ({ body }, step) => void (step.startsWith('index?') && body.items.pop()),
      'index: /body/items/0 was {"id":0,"name":"Dora","seen/at":"<number>"}, is missing',
    ],
    [
      'a list for an object',
      (answer, step) => void (step === 'show' && (answer.body = [])),
      'show: /body was {"id":1,"name":"Dora"}, is []',
    ],
    [
      'the type of a volatile value',
      ({ body }, step) => void (step.startsWith('index?') && (body.items[0]['seen/at'] = '')),
      'index: /body/items/0/seen~1at was "<number>", is "<string>"',
    ],
    [
      'a token that does not work',
      ({ body }, step) => void (step === 'create' && (body.token = 'x')),
      'index: /status was 200, is 401',
    ],
    [
      'a missing header',
      ({ headers }, step) => step === 'create' && headers.delete('location'),
      'create: /headers/location was "/api/users/1", is missing',
    ],
    [
      'another header',
      ({ headers }) => headers.set('vary', 'Origin'),
      'create: /headers/vary was "Accept", is "Origin"',
    ],
    [
      'an error code',
      ({ body }, step) => void (step === 'refused' && (body.error = 'x')),
      'another version: /body/error was "not-acceptable", is "x"',
    ],
  ])('shows %s', async (_what, regress, difference) => {
    expect(differences(await run(), await run(regress))).toContain(difference)
  })

  it('reports a request that only one recording has', () => {
    const response = { status: 200, headers: {}, body: null }
    const one: Recording = { a: response, toString: response }
    expect(differences(one, {})).toEqual([
      'a: the request is missing',
      'toString: the request is missing',
    ])
    expect(differences({}, one)).toEqual(['a: the request is new', 'toString: the request is new'])
  })
})
