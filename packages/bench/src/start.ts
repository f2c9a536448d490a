// `npm run bench -- start`: the CPU time that a Fastify app with schemas takes to start: 60 routes in
// three versions, compared with plain Fastify with the same 60 routes once, and with all 180. Each
// sample comes from a fresh process, and the variants take turns. BENCH_ROUNDS makes it shorter.
import { execFileSync } from 'node:child_process'
import { api, became, cache, change, inherit, resources, version } from '@hv/router'
import { before, createRouter } from '@hv/router-fastify'
import fastify from 'fastify'

const { BENCH_ROUNDS = '9' } = process.env
const names = Array.from({ length: 12 }, (_, i) => `r${i}s`)
const actions = { index: 200, create: 201, show: 200, update: 200, destroy: 200 } as const

// ---- the schemas of a resource: an item with its author, in a list and in an envelope -----------

const string = { type: 'string' }
const objectOf = (properties: object) => ({ type: 'object', properties })
const error = {
  type: 'object',
  properties: { title: string, detail: string, status: { type: 'integer' } },
}
/** By version: a schema that all responses contain. */
const authors = [1, 2, 3].map((n) => objectOf({ name: string, bio: string, [`image${n}`]: string }))
const itemOf = (author: object) => ({
  type: 'object',
  required: ['slug', 'author'],
  properties: {
    slug: string,
    title: string,
    body: string,
    description: string,
    tags: { type: 'array', items: string },
    createdAt: { type: 'string', format: 'date-time' },
    favorites: { type: 'integer' },
    author,
  },
})
const params = objectOf({ id: string })

/** The controller of a resource whose schemas contain `item`. */
function controllerOf(item: object) {
  const handler = () => ({})
  const envelope = objectOf({ item })
  const draft = objectOf({
    item: { ...objectOf({ title: string, body: string, tags: { type: 'array', items: string } }) },
  })
  const errors = { 404: error, 422: error }
  const list = objectOf({ items: { type: 'array', items: item }, count: { type: 'integer' } })
  const querystring = objectOf({
    tag: string,
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    offset: { type: 'integer' },
  })
  return {
    index: { schema: { querystring, response: { 200: list, ...errors } }, handler },
    create: { schema: { body: draft, response: { 201: envelope, ...errors } }, handler },
    show: { schema: { params, response: { 200: envelope, ...errors } }, handler },
    update: { schema: { params, body: draft, response: { 200: envelope, ...errors } }, handler },
    destroy: { schema: { params, response: { 200: envelope, ...errors } }, handler },
  }
}

// ---- the apps -----------------------------------------------------------------------------------

/** The items of each resource. If they change from version to version, there's one per version. */
const items = names.map(() => [1, 2, 3].map(() => itemOf(authors[2]!)))
const versionOf = (n: number) =>
  Object.fromEntries(names.map((name, i) => [name, controllerOf(items[i]![n - 1]!)]))
const routes = api(
  { vendorString: 'acme', except: ['new', 'edit'] },
  version(1, cache({ as: 'v1' }, ...names.map((name) => resources(name)))),
  version(2, cache({ as: 'v2' }, inherit({ from: 'v1' }))),
  version(3, inherit({ from: 'v2' })),
)
const same = { up: (one: unknown) => one, down: (one: unknown) => one }
/** The three versions of an API whose schemas change from each version to the next. */
function changed(changesOf: (n: number) => readonly (readonly [older: object, newer: object])[]) {
  const changeAfter = (n: number) =>
    change(`Change ${n}`, ...changesOf(n).map(([older, newer]) => became(older, newer, same)))
  const v3 = versionOf(3)
  const v2 = before(v3 as never, changeAfter(2))
  return versioned({ 1: before(v2, changeAfter(1)), 2: v2, 3: v3 })
}

function plain(prefixes: readonly string[]) {
  const app = fastify()
  const methods = {
    index: 'GET',
    create: 'POST',
    show: 'GET',
    update: 'PUT',
    destroy: 'DELETE',
  } as const
  for (const prefix of prefixes)
    for (const [name, controller] of Object.entries(versionOf(3)))
      for (const action of Object.keys(actions) as (keyof typeof actions)[]) {
        const url = `${prefix}/${name}${action === 'index' || action === 'create' ? '' : '/:id'}`
        app.route({ method: methods[action], url, ...controller[action] } as never)
      }
  return app
}

function versioned(controllers: object) {
  const app = fastify()
  app.register(createRouter(routes, controllers as never))
  return app
}

const variants = {
  'plain Fastify, 60 routes': () => plain(['/api']),
  'plain Fastify, 180 routes': () => plain(['/api', '/v2', '/v1']),
  'three versions, one controller': () => {
    const v3 = versionOf(3)
    return versioned({ 1: v3, 2: v3, 3: v3 })
  },
  'three versions, one resource changes': () =>
    changed((n) => [[items[0]![n - 1]!, items[0]![n]!]]),
  'three versions, every response changes': () => changed((n) => [[authors[n - 1]!, authors[n]!]]),
  'three versions, twelve changes each': () =>
    changed((n) => items.map((each) => [each[n - 1]!, each[n]!] as const)),
}

const variant = process.argv[2] as keyof typeof variants | undefined
if (variant === undefined) {
  const samples = new Map(Object.keys(variants).map((name) => [name, [] as number[]]))
  for (let round = 0; round < Number(BENCH_ROUNDS); round++)
    for (const [name, all] of samples)
      all.push(
        Number(execFileSync(process.execPath, [import.meta.filename, name], { encoding: 'utf8' })),
      )
  const [first] = [...samples.values()].map((all) => Math.min(...all))
  console.log(
    `Node ${process.version}: milliseconds of CPU to start, the least of ${BENCH_ROUNDS} fresh processes`,
  )
  console.table(
    Object.fromEntries(
      [...samples].map(([name, all]) => {
        const least = Math.min(...all)
        return [
          name,
          { milliseconds: least.toFixed(0), 'of plain, 60 routes': (least / first!).toFixed(2) },
        ]
      }),
    ),
  )
} else {
  const start = process.cpuUsage()
  await variants[variant]().ready()
  const { user, system } = process.cpuUsage(start)
  console.log((user + system) / 1000)
}
