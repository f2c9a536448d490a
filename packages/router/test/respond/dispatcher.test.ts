import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDispatcher } from '../../src/adapter.ts'
import { type Problem, api, get, version } from '../../src/index.ts'

const routes = api({ vendorString: 'acme' }, version(1, get('users', { to: 'users#index' })))
const controllers = { 1: { users: { index: () => 'users' } } }
const typeOf = (vendor: string) => `application/vnd.${vendor}+json;version=1`

describe('createDispatcher', () => {
  it.each<[string, object, string]>([
    ['pinVersion', { pinVersion: 2 }, 'pinVersion to be a function. Received: 2.'],
    ['now', { now: 0 }, 'now to be a function. Received: 0.'],
  ])('names createRouter() if %s is no function', (_option, options, expected) =>
    expect(() => createDispatcher(routes, controllers, options)).toThrow(
      `HV_OPTION: createRouter() requires ${expected}`,
    ),
  )
})

describe('dispatch', () => {
  it.each([
    ['/api/users', typeOf('acme'), 'action'],
    ['/api/users', typeOf('other'), 'problem'],
    ['/api/nothing', typeOf('acme'), 'pass'],
  ])('answers %s as %s with: %s', (path, accept, kind) => {
    const { dispatch } = createDispatcher(routes, controllers, {})
    const answer = dispatch('GET', path, accept, null)
    expect(answer.kind).toBe(kind)
    expect(answer.headers).toContainEqual(['vary', 'Accept'])
  })

  it('names createRouter() if the API is undefined', () =>
    expect(() => createDispatcher(undefined as never, controllers, {})).toThrow(
      'HV_OPTION: createRouter() requires api to be what api() returns. Received: undefined. Is there a circular import?',
    ))

  it('returns what pinVersion throws, and an Error for nothing', () => {
    const failWith = (error: unknown) =>
      createDispatcher(routes, controllers, {
        pinVersion: () => {
          throw error
        },
      }).dispatch('GET', '/api/users', undefined, null)
    const error = new Error('no account')
    expect(failWith(error)).toMatchObject({ kind: 'error', error })
    expect(failWith(undefined)).toMatchObject({
      kind: 'error',
      error: new Error('pinVersion failed'),
    })
  })

  it.each([
    ['/api', '/users', 1],
    ['/v1/api', '/users', 1],
    ['/api/users', '/', 1],
    ['/v1', '/users', 0],
    ['/api', '/nothing', 0],
  ])('warns about the mount path %s at %s: %i times', (mount, path, times) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const { dispatch } = createDispatcher(routes, controllers, {})
    for (let i = 0; i < 2; i++) dispatch('GET', path, undefined, null, mount)
    expect(warn).toHaveBeenCalledTimes(times)
  })

  it.each([{}, undefined])('warns about nothing in a runtime whose process is %j', (value) => {
    vi.stubGlobal('process', value)
    onTestFinished(() => void vi.unstubAllGlobals())
    const { dispatch } = createDispatcher(routes, controllers, {})
    expect(dispatch('GET', '/users', undefined, null, '/api').kind).toBe('pass')
  })
})

describe('reply', () => {
  const refusal = (problem: (problem: Problem) => unknown) => {
    const { dispatch, reply } = createDispatcher(routes, controllers, { problem })
    const answer = dispatch('GET', '/api/users', typeOf('other'), null)
    if (answer.kind !== 'problem') throw new Error('a problem was expected')
    return reply(answer)
  }

  it('asks the hook for the body, and keeps status and type', async () =>
    expect(await refusal(({ title }) => Promise.resolve(title))).toEqual({
      status: 406,
      type: 'application/problem+json; charset=utf-8',
      body: 'Version not acceptable',
    }))
  it('rejects with an Error when the hook rejects with nothing', () =>
    // oxlint-disable-next-line prefer-promise-reject-errors -- what an app may do
    expect(refusal(() => Promise.reject())).rejects.toThrow('The problem hook failed.'))
  it('has no body for OPTIONS, and a problem document for a path that no version has', async () => {
    const { dispatch, reply } = createDispatcher(routes, controllers, {})
    const replyTo = (method: string, path: string) =>
      reply(dispatch(method, path, undefined, null) as never)
    expect(await replyTo('OPTIONS', '/api/users')).toMatchObject({ status: 204, body: null })
    expect(await replyTo('GET', '/api/nothing')).toMatchObject({
      status: 404,
      body: { title: 'Not found' },
    })
  })
})

it("checks createRouter's options and the actions'", () => {
  expect(() =>
    createDispatcher(routes, controllers, { onRoute() {} } as object, { options: ['use'] }),
  ).toThrow("no option 'onRoute'. Did you mean 'onRouted'? Its options: problem, ")
  const misspelled = { 1: { users: { index: { shema: {}, handler() {} } } } }
  expect(() => createDispatcher(routes, misspelled, {}, { actionOptions: ['use'] })).toThrow(
    "no option 'shema'",
  )
  expect(() => createDispatcher(routes, misspelled, {})).not.toThrow() // the framework checks them
})
