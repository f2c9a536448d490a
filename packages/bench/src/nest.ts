// `npm run bench -- nest`: compares versioned routes in a Nest app with Nest's own versioning by media
// type and with a Nest app without versions. Also compares an action that `before` derives with a
// hand-written one, and measures how long an API with 2,500 rows takes to start. Each sample comes
// from a fresh process, and the variants take turns. Requests are injected, so they use no sockets.
// BENCH_ROUNDS makes it shorter.
import 'reflect-metadata'
import { execFileSync } from 'node:child_process'
import { type Api, api, became, cache, change, inherit, resources, version } from '@hv/router'
import { VersionedApiModule, before } from '@hv/router-nest'
import {
  Controller,
  Get,
  type INestApplication,
  Module,
  Param,
  type Type,
  VersioningType,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { ApiOkResponse, ApiProperty } from '@nestjs/swagger'
import inject from 'light-my-request'
import { createReport } from './report.ts'

const { BENCH_ROUNDS = '9' } = process.env
const platforms = { Express: () => new ExpressAdapter(), Fastify: () => new FastifyAdapter() }
type Platform = keyof typeof platforms
const variants = ['plain', "Nest's own", 'ours'] as const
type Variant = (typeof variants)[number]

const run = (...args: readonly unknown[]): number =>
  Number(
    execFileSync(process.execPath, [import.meta.filename, ...args.map(String)], {
      encoding: 'utf8',
    }),
  )
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!
function compare(): void {
  const report = createReport('nest', `${BENCH_ROUNDS} rounds of one fresh process each`)
  for (const platform of Object.keys(platforms) as Platform[]) {
    for (const versions of [2, 10]) {
      const samples = new Map<Variant, number[]>(variants.map((variant) => [variant, []]))
      for (let round = 0; round < Number(BENCH_ROUNDS); round++)
        for (const [variant, all] of samples) all.push(run('cost', platform, variant, versions))
      const nest = samples.get("Nest's own")!
      report.table(
        `${platform}, ${versions} versions: microseconds of CPU per request`,
        Object.fromEntries(
          [...samples].map(([variant, all]) => [
            variant,
            {
              median: median(all).toFixed(2),
              least: Math.min(...all).toFixed(2),
              "to Nest's own, median": median(
                all.map((cost, round) => cost / nest[round]!),
              ).toFixed(3),
              "to Nest's own, least": (Math.min(...all) / Math.min(...nest)).toFixed(3),
            },
          ]),
        ),
      )
    }
  }
  for (const platform of Object.keys(platforms)) {
    const samples = new Map(
      writings.map((writing) => [writing, { show: [], index: [] } as Samples]),
    )
    for (let round = 0; round < Number(BENCH_ROUNDS); round++)
      for (const [writing, all] of samples)
        for (const action of ['show', 'index'] as const)
          all[action].push(run('older', platform, writing, action))
    const cells = (all: Samples) => ({
      'one object, median': median(all.show).toFixed(2),
      'one object, least': Math.min(...all.show).toFixed(2),
      'list of 50, median': median(all.index).toFixed(2),
      'list of 50, least': Math.min(...all.index).toFixed(2),
    })
    report.table(
      `${platform}, an older action: microseconds of CPU per request`,
      Object.fromEntries([...samples].map(([writing, all]) => [writing, cells(all)])),
    )
  }
  const rows = Object.keys(platforms).map((platform) => {
    const all = Array.from({ length: 5 }, () => run('start', platform))
    return [platform, { median: median(all).toFixed(0), least: Math.min(...all).toFixed(0) }]
  })
  report.table('2,500 rows in 10 versions: milliseconds of CPU to start', Object.fromEntries(rows))
  report.end()
}

type Loose = (...args: unknown[]) => never

/** The same resources in all versions. */
function declare(names: readonly string[], only: readonly string[], versions: number): Api {
  const nodes = names.map((name) => (resources as Loose)(name, { only }))
  const first = (version as Loose)(1, (cache as Loose)({ as: 'v1' }, ...nodes))
  const others = Array.from({ length: versions - 1 }, (_, i) =>
    version(i + 2, (inherit as Loose)({ from: 'v1' })),
  )
  return (api as Loose)({ vendorString: 'acme' }, first, ...others)
}

class Users {
  show(id: string) {
    return { id, name: 'Ada Lovelace', email: 'ada@example.org' }
  }
}
Param('id')(Users.prototype, 'show', 0)

/** A Nest controller, with or without a version. */
function nestController(n?: number): Type {
  class Native extends Users {
    override show(id: string) {
      return super.show(id)
    }
  }
  Param('id')(Native.prototype, 'show', 0)
  Get(':id')(Native.prototype, 'show', Object.getOwnPropertyDescriptor(Native.prototype, 'show')!)
  Controller({ path: 'api/users', ...(n !== undefined && { version: String(n) }) })(Native)
  return Native
}

function ourController(): Type<Users> {
  class Ours extends Users {}
  Controller()(Ours)
  return Ours
}

const moduleOf = (metadata: Parameters<typeof Module>[0]): Type => {
  class Root {}
  Module(metadata)(Root)
  return Root
}

function rootOf(variant: Variant, versions: number): Type {
  if (variant === 'plain') return moduleOf({ controllers: [nestController()] })
  const numbers = Array.from({ length: versions }, (_, i) => i + 1)
  if (variant === "Nest's own") return moduleOf({ controllers: numbers.map(nestController) })
  const controllers = numbers.map(ourController)
  const table = Object.fromEntries(numbers.map((n) => [n, { users: controllers[n - 1] }]))
  const imports = [
    VersionedApiModule.forRoot(declare(['users'], ['show'], versions), table as never),
  ]
  return moduleOf({ imports, controllers })
}

type Ask = (options: {
  url: string
  headers?: Record<string, string>
}) => Promise<{ statusCode: number; payload: string }>

async function start(app: INestApplication, platform: Platform): Promise<Ask> {
  await app.init()
  const instance = app.getHttpAdapter().getInstance()
  if (platform === 'Fastify') await instance.ready()
  return (options) =>
    platform === 'Fastify' ? instance.inject(options) : inject(instance, options)
}

const create = (root: Type, platform: Platform): Promise<INestApplication> =>
  NestFactory.create(root, platforms[platform]() as never, { logger: false, abortOnError: false })

async function measureCost(
  platform: Platform,
  variant: Variant,
  versions: number,
): Promise<number> {
  const app = await create(rootOf(variant, versions), platform)
  if (variant === "Nest's own")
    app.enableVersioning({ type: VersioningType.MEDIA_TYPE, key: 'version=' })
  const ask = await start(app, platform)
  return leastCost(ask, (i) => [`/api/users/${i}`, (i % versions) + 1])
}

/** A request's CPU time in the fastest round, in microseconds. */
async function leastCost(
  ask: Ask,
  requestOf: (i: number) => readonly [url: string, version: number],
): Promise<number> {
  const count = 2000
  let least = Infinity
  for (let round = 0; round < 6; round++) {
    const begin = process.cpuUsage()
    for (let i = 0; i < count; i++) {
      const [url, n] = requestOf(i)
      const headers = { accept: `application/vnd.acme+json;version=${n}` }
      const { statusCode, payload } = await ask({ url, headers })
      if (statusCode !== 200) throw new Error(payload)
    }
    const { user, system } = process.cpuUsage(begin)
    if (round > 1) least = Math.min(least, (user + system) / count)
  }
  return least
}

/** How version 1's actions are written. Version 2's show the cost without any conversion. */
const writings = ['by hand', 'derived', "version 2's"] as const
type Writing = (typeof writings)[number]
type Samples = Readonly<Record<'show' | 'index', number[]>>

class Person {
  id!: number
  firstName!: string
  lastName!: string
  email!: string
}
class PersonV1 {
  name!: string
}
for (const name of ['id', 'firstName', 'lastName', 'email'])
  ApiProperty({ type: String })(Person.prototype, name)
ApiProperty({ type: String })(PersonV1.prototype, 'name')

const ada: Person = { id: 1, firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org' }
const toOlder = ({ firstName, lastName, ...person }: Person) => ({
  ...person,
  name: `${firstName} ${lastName}`,
})
class People {
  show(): unknown {
    return { ...ada }
  }
  index(): unknown {
    return Array.from({ length: 50 }, () => ({ ...ada }))
  }
}
class PeopleV1 extends People {
  override show(): unknown {
    return toOlder(super.show() as Person)
  }
  override index(): unknown {
    return (super.index() as Person[]).map(toOlder)
  }
}
for (const [action, type] of [
  ['show', Person],
  ['index', [Person]],
] as const) {
  const method = Object.getOwnPropertyDescriptor(People.prototype, action)!
  ApiOkResponse({ type: type as never })(People.prototype, action, method)
}
for (const metatype of [People, PeopleV1]) Controller()(metatype)

async function measureOlder(
  platform: Platform,
  writing: Writing,
  action: 'show' | 'index',
): Promise<number> {
  const fullName = change('A name is in two fields.', became(PersonV1, Person, { down: toOlder }))
  const v2 = { people: People }
  const v1 = writing === 'by hand' ? { people: PeopleV1 } : before(v2, fullName)
  const routes = declare(['people'], ['show', 'index'], 2)
  const imports = [VersionedApiModule.forRoot(routes, { 1: v1, 2: v2 } as never)]
  const app = await create(moduleOf({ imports, controllers: [People, PeopleV1] }), platform)
  const url = action === 'show' ? '/api/people/1' : '/api/people'
  const ask = await start(app, platform)
  return leastCost(ask, () => [url, writing === "version 2's" ? 2 : 1])
}

async function measureStart(platform: Platform): Promise<number> {
  const names = Array.from({ length: 50 }, (_, i) => `r${'x'.repeat(i)}s`)
  const only = ['index', 'show', 'create', 'update', 'destroy']
  const routes = declare(names, only, 10)
  const controllers = names.map(() => {
    const Many = { Many: class {} }.Many
    for (const name of only)
      Object.defineProperty(Many.prototype, name, { value: () => ({ name }), writable: true })
    Controller()(Many)
    return Many
  })
  const keys = Object.fromEntries(names.map((name, i) => [name, controllers[i]]))
  const table = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [i + 1, keys]))
  const root = moduleOf({
    imports: [VersionedApiModule.forRoot(routes, table as never)],
    controllers,
  })
  const app = await create(root, platform)
  const begin = process.cpuUsage()
  const ask = await start(app, platform)
  const { statusCode } = await ask({ url: `/api/${names[9]}` })
  if (statusCode !== 200) throw new Error(`status ${statusCode}`)
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1000
}

const [what, platform, variant, versions] = process.argv.slice(2)
if (what === 'cost')
  console.log(await measureCost(platform as Platform, variant as Variant, Number(versions)))
else if (what === 'older')
  console.log(await measureOlder(platform as Platform, variant as Writing, versions as 'show'))
else if (what === 'start') console.log(await measureStart(platform as Platform))
else compare()
