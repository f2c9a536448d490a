// The suite on Bun, Deno and workerd.
import { join } from 'node:path'
import { type AdapterUnderTest, runSmoke } from '@hv/router-contract'
import { createApps } from '@hv/router-contract/apps'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { native } from './app.ts'
import { pathOf, pathOnDeno } from './path-of.ts'
import { type Programs, buildPrograms } from './runtimes/programs.ts'
import { type Running, start, startWorkers } from './runtimes/run.ts'

let programs: Programs
beforeAll(async () => {
  programs = await buildPrograms()
})
afterAll(() => programs?.remove())

type Start = () => Promise<{ ports: ReadonlyMap<string, number>; running: Running }>

const startServer = async (program: string, ...args: string[]): ReturnType<Start> => {
  const running = start(program, [...args, join(programs.folder, 'server.js')])
  return {
    running,
    ports: new Map(Object.entries(JSON.parse(await running.line()) as Record<string, number>)),
  }
}
const runtimes: readonly (readonly [name: string, start: Start])[] = [
  ['Bun', () => startServer(programs.runtimes.bun)],
  [
    'Deno',
    () => startServer(programs.runtimes.deno, 'run', '--no-config', '--allow-net=127.0.0.1'),
  ],
  [
    'workerd',
    () => {
      const names = [...createApps(native).keys()]
      const workers = names.map((name) => ({ name, file: 'worker.js', bindings: { APP: name } }))
      return startWorkers(programs.runtimes.workerd, programs.folder, workers)
    },
  ],
]

describe.each(runtimes)('on %s', (name, startRuntime) => {
  let started: Awaited<ReturnType<Start>>
  beforeAll(async () => {
    started = await startRuntime()
  })
  afterAll(() => started.running.stop())

  const adapter: AdapterUnderTest = {
    name: `fetch on ${name}`,
    native,
    pathOf: name === 'Bun' ? pathOf : pathOnDeno,
    measuresHead: false,
    serve: async (app) => ({
      origin: `http://127.0.0.1:${started.ports.get(app.name)}`,
      close: async () => {},
    }),
  }
  it.each([
    ['redirected', 307],
    ['fetched', 200],
  ])('adds headers to a response whose headers are immutable: %s', async (path, status) => {
    const url = `http://127.0.0.1:${started.ports.get('an API')}/immutable/${path}`
    const response = await fetch(url, { redirect: 'manual' })
    expect([response.status, await response.text()]).toEqual([
      status,
      status === 200 ? '{"plain":true}' : '',
    ])
    expect([response.headers.get('vary'), response.headers.get('api-version')]).toEqual([
      'Accept',
      '1',
    ])
  })

  it.each([
    [1, { name: 'Dora' }, 201, '{"name":"Dora"}', 'yes'],
    [2, { fullName: 'Dora' }, 201, '{"fullName":"Dora"}', null],
    [1, { fullName: 'Dora' }, 400, 'body has no name', null],
  ])('validates and converts: version %i with %j', async (number, body, status, text, older) => {
    const response = await fetch(`http://127.0.0.1:${started.ports.get('an API')}/evolving/users`, {
      method: 'POST',
      headers: {
        accept: `application/vnd.acme+json;version=${number}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    expect([response.status, response.headers.get('x-older')]).toEqual([status, older])
    expect(await response.text()).toContain(text)
    if (status === 201)
      expect(response.headers.get('content-type')).toBe(
        `application/vnd.acme+json; version=${number}; charset=utf-8`,
      )
  })

  runSmoke(adapter)
})
