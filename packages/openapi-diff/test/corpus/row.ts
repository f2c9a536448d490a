// What the rows of the corpus are made of.
export type Json = Readonly<Record<string, unknown>>

/** `silent`, or the codes of the findings, each once. Warnings are marked. */
export type Verdict = string

/** Two schemas as the body of a request and of a response. `schemas` are the components of both documents. */
export type SchemaRow = readonly [
  what: string,
  released: unknown,
  current: unknown,
  request: 'silent' | 'breaks' | 'warns' | 'ignored' | 'unjudged' | 'breaks, unjudged',
  response: 'silent' | 'breaks' | 'warns' | 'unjudged' | 'breaks, unjudged',
  why: string,
  schemas?: Json | readonly [released: Json, current: Json],
]

/** Two whole documents. */
export type DocumentRow = readonly [
  what: string,
  released: Json,
  current: Json,
  verdict: Verdict,
  why: string,
]

export const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
export const object = (properties: Json, ...required: readonly string[]): Json => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})
export const string = { type: 'string' }
export const integer = { type: 'integer' }
export const list = (items: unknown): Json => ({ type: 'array', items })

/** A document with `POST /users/{id}`. */
export const documentOf = (operation: Json, root: Json = {}, item: Json = {}): Json => ({
  openapi: '3.1.0',
  paths: {
    '/users/{id}': { post: { responses: { 200: { description: '' } }, ...operation }, ...item },
  },
  ...root,
})
export const json = (schema: unknown): Json => ({ content: { 'application/json': { schema } } })
