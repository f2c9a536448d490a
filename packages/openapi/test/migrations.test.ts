// Migrations that public APIs have made, each as a change: on every adapter.
import { became, change, headerBecame, statusBecame } from '@hv/router'
import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { type Action, type Migration, type Sent, adapters } from './served-changes.ts'

const text = Type.String()
const returns =
  (body: unknown, status = 200): Action['act'] =>
  () => ({ status, body })
const open = { additionalProperties: true }

// Keygen 1.1: `code` of a validation was called `constant`.
const Validation = Type.Object({ valid: Type.Boolean(), code: text })
const ValidationV1 = Type.Object({ valid: Type.Boolean(), constant: text })
// Keygen 1.6: an attribute was renamed, in single resources and in collections.
const Policy = Type.Object({ id: text, attributes: Type.Object({ machineLeasingStrategy: text }) })
const PolicyV1 = Type.Object({ id: text, attributes: Type.Object({ leasingStrategy: text }) })
const policy = (name: string) => ({ id: '1', attributes: { [name]: 'PER_LICENSE' } })
// Keygen 1.5: the code of an error changed.
const Failure = Type.Object({ code: text })
const FailureV1 = Type.Object({ code: text })
// Keygen 1.2: of a process that was just created, the status was NOT_STARTED.
const Machine = Type.Object({ status: text })
const MachineV1 = Type.Object({ status: text })
// Keygen 1.4: keys of metadata kept their case.
const Metadata = Type.Record(Type.String(), text, { $id: 'Metadata' })
const MetadataV1 = Type.Record(Type.String(), text, { $id: 'MetadataV1' })
const snake = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const mapKeys = (value: Record<string, string>, map: (key: string) => string) =>
  Object.fromEntries(Object.entries(value).map(([key, one]) => [map(key), one]))
// Cadwyn's tutorial: a user has several addresses.
const User = Type.Object({ addresses: Type.Array(text, { minItems: 1 }) })
const UserV1 = Type.Object({ address: text })
// Stripe: parameters were renamed, and changed their types.
const Query = Type.Object({ limit: Type.Integer({ default: 20 }) })
const QueryV1 = Type.Object({ count: Type.Integer({ default: 10 }) })
const Keyed = Type.Object({ 'idempotency-key': text }, open)
const KeyedV1 = Type.Object({ 'request-id': text }, open)
const Id = Type.Object({ id: text })
const IdV1 = Type.Object({ id: Type.Integer() })
// Stripe: one kind of source changed.
const Card = Type.Object({ object: Type.Literal('card'), brand: Type.Object({ name: text }) })
const CardV1 = Type.Object({ object: Type.Literal('card'), brand: text })
const Bank = Type.Object({ object: Type.Literal('bank_account'), iban: text })
// Stripe: a deleted customer wasn't found.
const Customer = Type.Object({ id: text, deleted: Type.Literal(false) })
const Deleted = Type.Object({ id: text, deleted: Type.Literal(true) })
const Missing = Type.Object({ error: text })
// A tree of comments.
interface Comment {
  readonly text?: string
  readonly body?: string
  readonly replies: readonly Comment[]
}
const commentOf = (name: string, $id: string) =>
  Type.Recursive((This) => Type.Object({ [name]: text, replies: Type.Array(This) }), { $id })
const [Tree, TreeV1] = [commentOf('text', 'Comment'), commentOf('body', 'CommentV1')]
const oldTree = ({ text: body, replies }: Comment): Comment => ({
  body: body!,
  replies: replies.map(oldTree),
})
// The body of a PATCH.
const Article = Type.Object({ title: text, body: text })
const ArticleV1 = Type.Object({ headline: text, body: text })
const [Patch, PatchV1] = [Type.Partial(Article), Type.Partial(ArticleV1)]

const get = (path = '/things/7', headers = {}): Sent => ({ path, headers })
const post = (body: unknown): Sent => ({ method: 'POST', path: '/things', body })
const put = (body: unknown): Sent => ({ method: 'PUT', body })
const destroy: Sent = { method: 'DELETE' }

const migrations: readonly Migration[] = [
  {
    what: 'Keygen 1.1: a field is renamed',
    actions: {
      show: {
        schema: { response: { 200: Validation } },
        act: returns({ valid: true, code: 'VALID' }),
      },
    },
    changes: [
      change(
        'x',
        became(ValidationV1, Validation, {
          down: ({ valid, code }) => ({ valid, constant: code }),
        }),
      ),
    ],
    older: [get(), { body: { valid: true, constant: 'VALID' } }],
    newer: [get(), { body: { valid: true, code: 'VALID' } }],
  },
  {
    what: 'Keygen 1.6: a field is renamed in single resources and collections',
    actions: {
      show: {
        schema: { response: { 200: Type.Object({ data: Policy }) } },
        act: returns({ data: policy('machineLeasingStrategy') }),
      },
      index: {
        schema: { response: { 200: Type.Object({ data: Type.Array(Policy) }) } },
        act: returns({ data: [policy('machineLeasingStrategy')] }),
      },
    },
    changes: [
      change(
        'x',
        became(PolicyV1, Policy, {
          down: ({ id, attributes }) => ({
            id,
            attributes: { leasingStrategy: attributes.machineLeasingStrategy },
          }),
        }),
      ),
    ],
    older: [get('/things'), { body: { data: [policy('leasingStrategy')] } }],
    newer: [get(), { body: { data: policy('machineLeasingStrategy') } }],
  },
  {
    what: 'Keygen 1.5: an error has another code',
    actions: {
      show: { schema: { response: { 422: Failure } }, act: returns({ code: 'KEY_TAKEN' }, 422) },
    },
    changes: [
      change('x', became(FailureV1, Failure, { down: ({ code }) => ({ code: `OLD_${code}` }) })),
    ],
    older: [get(), { status: 422, body: { code: 'OLD_KEY_TAKEN' } }],
    newer: [get(), { status: 422, body: { code: 'KEY_TAKEN' } }],
  },
  {
    what: 'Keygen 1.2: a value is another one for one action',
    actions: {
      create: { schema: { response: { 201: Machine } }, act: returns({ status: 'ALIVE' }, 201) },
      show: { schema: { response: { 200: Machine } }, act: returns({ status: 'ALIVE' }) },
    },
    changes: [
      change(
        'x',
        became(MachineV1, Machine, {
          down: () => ({ status: 'NOT_STARTED' }),
          only: ['things.create'],
        }),
      ),
    ],
    older: [post({}), { status: 201, body: { status: 'NOT_STARTED' } }],
    newer: [post({}), { status: 201, body: { status: 'ALIVE' } }],
  },
  {
    what: 'Keygen 1.3: a header of all responses is renamed',
    actions: {
      show: {
        schema: {},
        act: () => ({ status: 401, headers: { 'acme-account': 'a1' }, body: {} }),
      },
    },
    changes: [change('x', headerBecame('Keygen-Account', 'Acme-Account'))],
    older: [
      get(),
      { status: 401, headers: { 'keygen-account': 'a1', 'acme-account': '' }, body: {} },
    ],
    newer: [
      get(),
      { status: 401, headers: { 'keygen-account': '', 'acme-account': 'a1' }, body: {} },
    ],
  },
  {
    what: 'Keygen 1.4: keys of metadata have another case, in requests and responses',
    actions: {
      create: {
        schema: {
          body: Type.Object({ metadata: Metadata }),
          response: { 201: Type.Object({ metadata: Metadata }) },
        },
        act: ({ body }) => ({ status: 201, body: body as unknown }),
      },
    },
    changes: [
      change(
        'x',
        became(MetadataV1, Metadata, {
          up: (value) => mapKeys(value, snake),
          down: (value) =>
            mapKeys(value, (key) => key.replaceAll(/_./g, (two) => two[1]!.toUpperCase())),
        }),
      ),
    ],
    older: [
      post({ metadata: { ownerId: '1' } }),
      { status: 201, body: { metadata: { ownerId: '1' } } },
    ],
    newer: [
      post({ metadata: { owner_id: '1' } }),
      { status: 201, body: { metadata: { owner_id: '1' } } },
    ],
  },
  {
    what: "Cadwyn's tutorial: a field becomes a list",
    actions: {
      create: {
        schema: { body: User, response: { 201: User } },
        act: ({ body }) => ({ status: 201, body: body as unknown }),
      },
    },
    changes: [
      change(
        'x',
        became(UserV1, User, {
          up: ({ address }) => ({ addresses: [address] }),
          down: ({ addresses }) => ({ address: addresses[0]! }),
        }),
      ),
    ],
    older: [post({ address: 'a' }), { status: 201, body: { address: 'a' } }],
    newer: [post({ addresses: ['a'] }), { status: 201, body: { addresses: ['a'] } }],
  },
  {
    what: 'Stripe: a query parameter has another name and default',
    actions: {
      index: { schema: { querystring: Query }, act: ({ query }) => ({ body: query as unknown }) },
    },
    changes: [change('x', became(QueryV1, Query, { up: ({ count }) => ({ limit: count }) }))],
    older: [get('/things'), { body: { limit: 10 } }],
    newer: [get('/things?limit=5'), { body: { limit: 5 } }],
  },
  {
    what: 'Stripe: a request header is renamed',
    actions: {
      show: {
        schema: { headers: Keyed },
        act: ({ headers }) => ({
          body: { key: (headers as Record<string, string>)['idempotency-key'] },
        }),
      },
    },
    changes: [
      change(
        'x',
        became(KeyedV1, Keyed, {
          up: ({ 'request-id': key, ...rest }) => ({ ...rest, 'idempotency-key': key }),
        }),
      ),
    ],
    older: [get(undefined, { 'request-id': 'k' }), { body: { key: 'k' } }],
    newer: [get(undefined, { 'idempotency-key': 'k' }), { body: { key: 'k' } }],
  },
  {
    what: 'Stripe: a path parameter has another type',
    actions: {
      show: {
        schema: { params: Id },
        act: ({ params }) => ({ body: { id: (params as { id: string }).id } }),
      },
    },
    changes: [change('x', became(IdV1, Id, { up: ({ id }) => ({ id: `cus_${id}` }) }))],
    older: [get(), { body: { id: 'cus_7' } }],
    newer: [get('/things/cus_7'), { body: { id: 'cus_7' } }],
  },
  {
    what: 'Stripe: one alternative of a union changes',
    actions: {
      show: {
        schema: { response: { 200: Type.Union([Card, Bank]) } },
        act: returns({ object: 'card', brand: { name: 'Visa' } }),
      },
    },
    changes: [
      change(
        'x',
        became(CardV1, Card, { down: ({ object, brand }) => ({ object, brand: brand.name }) }),
      ),
    ],
    older: [get(), { body: { object: 'card', brand: 'Visa' } }],
    newer: [get(), { body: { object: 'card', brand: { name: 'Visa' } } }],
  },
  {
    what: 'Stripe: what is deleted was not found',
    actions: {
      show: {
        schema: { response: { 200: Type.Union([Customer, Deleted]) } },
        act: returns({ id: '7', deleted: true }),
      },
    },
    changes: [
      change(
        'x',
        became(Missing, Deleted, {
          down: ({ id }) => ({ error: `No such customer: ${id}` }),
          status: 404,
        }),
      ),
    ],
    older: [get(), { status: 404, body: { error: 'No such customer: 7' } }],
    newer: [get(), { body: { id: '7', deleted: true } }],
  },
  {
    what: 'GitHub: a response without a body has another status',
    actions: {
      destroy: { schema: { response: { 202: Type.Null() } }, act: () => ({ status: 202 }) },
    },
    changes: [change('x', statusBecame(204, 202))],
    older: [destroy, { status: 204, body: null }],
    newer: [destroy, { status: 202, body: null }],
  },
  {
    what: 'GitHub: a response without a body has one since',
    actions: {
      destroy: {
        schema: { response: { 202: Machine } },
        act: returns({ status: 'DELETING' }, 202),
      },
    },
    changes: [change('x', statusBecame(204, 202))],
    older: [destroy, { status: 204, body: null }],
    newer: [destroy, { status: 202, body: { status: 'DELETING' } }],
  },
  {
    what: 'a status and the body of its response change',
    actions: {
      create: { schema: { response: { 201: User } }, act: returns({ addresses: ['a'] }, 201) },
    },
    changes: [
      change(
        'x',
        statusBecame(200, 201),
        became(UserV1, User, { down: ({ addresses }) => ({ address: addresses[0]! }) }),
      ),
    ],
    older: [post({}), { status: 200, body: { address: 'a' } }],
    newer: [post({}), { status: 201, body: { addresses: ['a'] } }],
  },
  {
    what: 'a tree of comments has another field',
    actions: {
      show: {
        schema: { response: { 200: Tree } },
        act: returns({ text: 'a', replies: [{ text: 'b', replies: [] }] }),
      },
    },
    changes: [
      change('x', became(TreeV1, Tree, { down: (tree) => oldTree(tree as never) as never })),
    ],
    older: [get(), { body: { body: 'a', replies: [{ body: 'b', replies: [] }] } }],
    newer: [get(), { body: { text: 'a', replies: [{ text: 'b', replies: [] }] } }],
  },
  {
    what: 'a body has some of the changed fields',
    actions: {
      update: { schema: { body: Patch }, act: ({ body }) => ({ body: body as unknown }) },
      create: { schema: { body: Article }, act: ({ body }) => ({ body: body as unknown }) },
    },
    changes: [
      change(
        'x',
        became(PatchV1, Patch, {
          up: ({ headline, ...rest }) => ({
            ...rest,
            ...(headline !== undefined && { title: headline }),
          }),
        }),
        became(ArticleV1, Article, { up: ({ headline: title, ...rest }) => ({ ...rest, title }) }),
      ),
    ],
    older: [put({ headline: 'a' }), { body: { title: 'a' } }],
    newer: [put({ body: 'b' }), { body: { body: 'b' } }],
  },
]

describe.each(Object.entries(adapters))('on %s', (_name, serve) => {
  it.each(migrations)('$what', async ({ actions, changes, older, newer }) => {
    const send = await serve(actions, ...changes)
    for (const [index, [sent, { status = 200, headers = {}, body }]] of [older, newer].entries()) {
      const received = await send(index + 1, sent)
      const named = Object.fromEntries(
        Object.keys(headers).map((name) => [name, received.headers.get(name) ?? '']),
      )
      expect({ ...received, headers: named }).toEqual({ status, headers, body })
      expect([received.headers.get('api-version'), received.headers.get('vary')]).toEqual([
        String(index + 1),
        'Accept',
      ])
    }
  })
})
