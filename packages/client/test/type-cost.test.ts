// What a client's types cost the compiler, in instantiations. The count is the same on every machine.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compilers } from '../../../tools/compilers.ts'

const root = resolve(import.meta.dirname, '../../..')
const folder = mkdtempSync(resolve(import.meta.dirname, '../node_modules/.types-')) // where the schema library is installed
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const range = (count: number) => Array.from({ length: count }, (_, i) => i)
const head = `
import { api, cache, inherit, resources, version } from '@hv/router'
import { createClient, typesOf } from '../../src/index.ts'
import { type Static, Type } from '@sinclair/typebox'
export const routes = api({ vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, ${range(100)
    .map((i) => `resources('res${i}')`)
    .join(', ')})),
  ${range(9)
    .map(
      (n) =>
        `version(${n + 2}, cache({ as: 'v${n + 2}' }, inherit({ from: 'v${n + 1}' }), resources('extra${n}')))`,
    )
    .join(',\n')})
interface Req<Body = unknown> { params: unknown; body: Body; query: unknown }
${range(100)
  .map(
    (
      i,
    ) => `const S${i} = Type.Object({ id: Type.Integer(), name${i}: Type.String(), tags: Type.Array(Type.String()) })
class C${i} {
  index = { schema: { response: { 200: Type.Array(S${i}) } }, handler: (r: Req) => [] as unknown[] }
  create = { schema: { body: S${i}, response: { 201: S${i} } }, handler: (r: Req<Static<typeof S${i}>>) => r.body }
  show = { schema: { response: { 200: S${i} } }, handler: (r: Req) => ({}) as unknown }
  new() {} edit() {} update() { return { at: new Date() } } destroy() {}
}`,
  )
  .join('\n')}
class X { index() {} create() {} new() {} edit() {} show() {} update() {} destroy() {} }
const controllers = { ${range(10)
  .map(
    (n) =>
      `${n + 1}: { ${range(100)
        .map((i) => `res${i}: new C${i}()`)
        .join(', ')}${range(n)
        .map((k) => `, extra${k}: new X()`)
        .join('')} }`,
  )
  .join(',\n')} }
const client = createClient(routes, { baseUrl: '', version: 10, types: typesOf<typeof controllers> })
`
const callsOf = (resources: number) =>
  `export const run = async () => {\n${range(resources)
    .map(
      (i) => `  ;(await client.res${i}.show({ id: 1 })).name${i}.at(0)
  await client.res${i}.create({ body: { id: 1, name${i}: 'x', tags: [] } })
  ;(await client.res${i}.index())[0]!.tags.at(0)`,
    )
    .join('\n')}\n}`

function compile(compiler: string, name: string, text: string): number {
  const file = join(folder, `${name}.mts`)
  writeFileSync(file, text)
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    outDir: join(folder, 'out'),
    rootDir: '/',
    lib: ['es2023', 'dom'],
  }
  const config = join(folder, `${name}.json`)
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files: [file] }),
  )
  const { errors, instantiations } = compilers[compiler]!(config)
  if (errors !== '') throw new Error(errors)
  return instantiations
}

/** By compiler: what the code of the core and of the client costs alone. An app compiles their declarations. */
const ownCost: Record<string, number> = {}
const own = `import { api } from '@hv/router'
import { createClient } from '../../src/index.ts'
export const all = [api, createClient]`

describe.each(Object.keys(compilers))('%s, 100 resources in 10 versions', (compiler) => {
  it.each([
    ['3 calls', 1, 55_000],
    ['300 calls', 100, 160_000],
  ])('%s', (name, resources, budget) => {
    ownCost[compiler] ??= compile(compiler, 'own', own)
    const count =
      compile(compiler, `${name.replace(' ', '-')}`, head + callsOf(resources)) - ownCost[compiler]
    console.log(`${compiler}, ${name}: ${count} of ${budget} instantiations`)
    expect(count).toBeLessThanOrEqual(budget)
    expect(count).toBeGreaterThan(10_000)
  })
})

/** An API like Conduit's: 19 actions with schemas, a change of a few fields in each of two steps, and every call of each version. */
const conduit = (older: string) => `
import { api, became, cache, change, collection, del, get, inherit, member, post, resources, version } from '@hv/router'
import { action, before } from '../../../fastify/src/index.ts'
import { createClient, typesOf } from '../../src/index.ts'
import { Type } from '@sinclair/typebox'
const text = Type.String(), optional = Type.Optional(text), nullable = Type.Union([text, Type.Null()])
const Profile = Type.Object({ username: text, bio: nullable, image: Type.Object({ url: text }), following: Type.Boolean() })
const about = { slug: text, title: text, body: text, createdAt: text, favorited: Type.Boolean(), favorites: Type.Integer() }
const Article = Type.Object({ ...about, tags: Type.Array(Type.Object({ name: text })), author: Profile })
const Comment = Type.Object({ id: Type.Integer(), body: text, createdAt: text, author: Profile })
const User = Type.Object({ email: text, token: text, username: text, bio: nullable, image: nullable })
const ArticleInput = Type.Object({ title: optional, body: optional, tags: Type.Optional(Type.Array(text)) })
const UserInput = Type.Object({ email: optional, username: optional, password: optional, bio: optional })
const Query = Type.Object({ after: optional, tag: optional, limit: Type.Optional(Type.Integer()) })
const responseOf = <R,>(ok: R) => ({ 200: ok, '4xx': Type.Object({ errors: Type.Record(text, Type.Array(text)) }) })
const user = responseOf(Type.Object({ user: User })), profile = responseOf(Type.Object({ profile: Profile }))
const article = responseOf(Type.Object({ article: Article })), none = responseOf(Type.Object({}))
const articles = responseOf(Type.Object({ articles: Type.Array(Article), next: nullable }))
const handler = () => null
const v3 = {
  users: {${['create', 'login', 'update']
    .map(
      (name) =>
        `${name}: action({ schema: { body: Type.Object({ user: UserInput }), response: user }, handler }),`,
    )
    .join('\n')}
    show: action({ schema: { response: user }, handler }),
  },
  profiles: {${['show', 'follow', 'unfollow']
    .map((name) => `${name}: action({ schema: { response: profile }, handler }),`)
    .join('\n')}
  },
  articles: {${['index', 'feed']
    .map(
      (name) => `${name}: action({ schema: { querystring: Query, response: articles }, handler }),`,
    )
    .join('\n')}${['create', 'update']
    .map(
      (name) =>
        `${name}: action({ schema: { body: Type.Object({ article: ArticleInput }), response: article }, handler }),`,
    )
    .join('\n')}${['show', 'favorite', 'unfavorite']
    .map((name) => `${name}: action({ schema: { response: article }, handler }),`)
    .join('\n')}
    destroy: action({ schema: { response: none }, handler }),
  },
  comments: {
    index: action({ schema: { response: responseOf(Type.Object({ comments: Type.Array(Comment) })) }, handler }),
    create: action({ schema: { body: Type.Object({ body: text }), response: responseOf(Type.Object({ comment: Comment })) }, handler }),
    destroy: action({ schema: { response: none }, handler }),
  },
  tags: { index: action({ schema: { response: responseOf(Type.Object({ tags: Type.Array(text) })) }, handler }) },
}
${older}
const routes = api({ vendorString: 'conduit' },
  version(1, cache({ as: 'v1' },
    resources('users', { only: ['create', 'show', 'update'] }, collection(post('login'))),
    resources('profiles', { only: 'show' }, member(post('follow'), del('unfollow'))),
    resources('articles', { except: ['new', 'edit'] }, collection(get('feed')), member(post('favorite'), del('unfavorite')),
      resources('comments', { only: ['index', 'create', 'destroy'] })),
    resources('tags', { only: 'index' }))),
  version(2, cache({ as: 'v2' }, inherit({ from: 'v1' }))), version(3, inherit({ from: 'v2' })))
const types = typesOf<{ 1: typeof v1; 2: typeof v2; 3: typeof v3 }>
const id = 1
export const run = async () => {${[1, 2, 3]
  .map(
    (number) => `
  const c${number} = createClient(routes, { baseUrl: '', version: ${number}, types })
  await c${number}.users.create({ body: { user: {} } }), await c${number}.users.login({ body: { user: {} } })
  ;(await c${number}.users.show({ id })).user.bio, (await c${number}.users.update({ id, body: { user: {} } })).user.token
  ;(await c${number}.profiles.show({ id })).profile.bio, (await c${number}.profiles.follow({ id })).profile.bio
  ;(await c${number}.profiles.unfollow({ id })).profile.username, (await c${number}.articles.index()).articles[0]!.slug
  ;(await c${number}.articles.feed()).articles[0]!.author.username, (await c${number}.articles.show({ id })).article.slug
  ;(await c${number}.articles.create({ body: { article: {} } })).article.slug, await c${number}.articles.destroy({ id })
  ;(await c${number}.articles.update({ id, body: { article: {} } })).article.slug
  ;(await c${number}.articles.favorite({ id })).article.slug, (await c${number}.articles.unfavorite({ id })).article.slug
  ;(await c${number}.comments.index({ article_id: id })).comments[0]!.author.username
  ;(await c${number}.comments.create({ article_id: id, body: { body: '' } })).comment.author.username
  await c${number}.comments.destroy({ article_id: id, id }), (await c${number}.tags.index()).tags[0]!`,
  )
  .join('')}
  ${older.includes('before') ? `;(await c1.articles.show({ id })).article.tagList.at(0), (await c2.profiles.show({ id })).profile.avatar.at(0)` : ''}
}`
const twoChanges = `
const ProfileV2 = Type.Object({ username: text, bio: nullable, avatar: text, following: Type.Boolean() })
const QueryV2 = Type.Object({ offset: Type.Optional(Type.Integer()), tag: optional, limit: Type.Optional(Type.Integer()) })
const ArticleInputV2 = Type.Object({ title: optional, body: optional, tagList: Type.Optional(Type.Array(text)) })
const ArticleV2 = Type.Object({ ...about, tags: Type.Array(Type.Object({ name: text })), author: ProfileV2 })
const ArticleV1 = Type.Object({ ...about, tagList: Type.Array(text), author: ProfileV2 })
const UserV1 = Type.Object({ mail: text, token: text, username: text, bio: nullable, image: nullable })
const UserInputV1 = Type.Object({ mail: optional, username: optional, password: optional, bio: optional })
const v2 = before(v3, change('An image is an object.',
  became(ProfileV2, Profile, { down: ({ image, ...rest }) => ({ ...rest, avatar: image.url }) }),
  became(QueryV2, Query, { up: ({ offset, ...rest }) => ({ ...rest, after: String(offset) }) }),
  became(ArticleInputV2, ArticleInput, { up: ({ tagList, ...rest }) => ({ ...rest, tags: tagList! }) })))
const v1 = before(v2, change('A tag is an object.',
  became(ArticleV1, ArticleV2, { down: ({ tags, ...rest }) => ({ ...rest, tagList: tags.map(({ name }) => name) }) }),
  became(UserV1, User, { down: ({ email, ...rest }) => ({ ...rest, mail: email }) }),
  became(UserInputV1, UserInput, { up: ({ mail, ...rest }) => ({ ...rest, email: mail! }) })))`

it.each(Object.keys(compilers))('%s, two versions derived from a third', (compiler) => {
  const without = compile(compiler, 'three-versions', conduit('const v2 = v3, v1 = v3'))
  const count = compile(compiler, 'derived', conduit(twoChanges)) - without
  console.log(`${compiler}, two versions derived: ${count} of 70000 instantiations`)
  expect(count).toBeLessThanOrEqual(70_000)
  expect(count).toBeGreaterThan(10_000)
})
