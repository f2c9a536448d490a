// Lists the operations of an OpenAPI document, and resolves what they refer to.
import { type Json, isObject, entriesOf, pointerTo } from './json.ts'
import { resolve } from './normalize.ts'

export interface Operation {
  /** `GET /users/{id}`, or `webhook userCreated: POST` */
  readonly name: string
  /** JSON Pointer into the document. */
  readonly pointer: string
  readonly operation: Json
  /** The path item. */
  readonly item: Json
  readonly document: Json
  /** What identifies a callback: its name is not sent. Else undefined. */
  readonly address?: string
  /** The API sends the request and the client responds: a webhook or a callback. */
  readonly isSentByApi: boolean
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** By what identifies an operation. The names of path parameters do not matter. */
export function operationsOf(document: Json): ReadonlyMap<string, Operation> {
  const operations = new Map<string, Operation>()
  for (const [path, raw] of entriesOf(document['paths']))
    add(`/paths${pointerTo([path])}`, raw, (method) => ({
      key: `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`,
      name: `${method.toUpperCase()} ${path}`,
      isSentByApi: false,
    }))
  for (const [webhook, raw] of entriesOf(document['webhooks']))
    add(`/webhooks${pointerTo([webhook])}`, raw, (method) => ({
      key: `webhook ${webhook} ${method}`,
      name: `webhook ${webhook}: ${method.toUpperCase()}`,
      isSentByApi: true,
    }))
  return operations

  /** @param open - the operations around it: a callback may lead back to one of them */
  function add(
    home: string,
    raw: unknown,
    identify: (method: string) => Identity,
    open: readonly Json[] = [],
  ): void {
    for (const [method, operation, item] of methodsOf(document, raw)) {
      const { key, ...identity } = identify(method)
      const pointer = `${home}/${method}`
      operations.set(key, { ...identity, pointer, operation, item, document })
      if (open.includes(operation)) continue
      for (const [callback, expressions] of entriesOf(operation['callbacks']))
        for (const [expression, inner] of entriesOf(dereference(document, expressions))) {
          const identifyCalled = (called: string): Identity => ({
            key: `${key} callback ${callback} ${expression} ${called}`,
            name: `${identity.name} callback ${callback}: ${called.toUpperCase()}`,
            address: `${key} ${expression} ${called}`,
            isSentByApi: !identity.isSentByApi,
          })
          const calledAt = `${pointer}/callbacks${pointerTo([callback, expression])}`
          add(calledAt, inner, identifyCalled, [...open, operation])
        }
    }
  }
}

type Identity = Pick<Operation, 'name' | 'address' | 'isSentByApi'> & { readonly key: string }

/**
 * What a path item refers to holds together with what is beside the reference, as most tools read it. A reference to another
 * file, or to nothing, stands for operations that nobody knows.
 */
function methodsOf(document: Json, raw: unknown): readonly (readonly [string, Json, Json])[] {
  const item = { ...dereference(document, raw), ...(isObject(raw) && raw) }
  const isLost = item['$ref'] && resolve(document, item['$ref'] as string, false) === undefined
  return [...methods, '$ref'].flatMap((method) => {
    const operation = method === '$ref' && isLost ? raw : item[method]
    return isObject(operation) ? [[method, operation, item] as const] : []
  })
}

/** A parameter or a header. */
export interface Located {
  readonly value: Json
  /** JSON Pointers into its document. */
  readonly pointer: string
  readonly schemaPointer: string
  /** `query parameter limit`, `status 200: header Location` */
  readonly where: string
}

/** OpenAPI ignores these header parameters: bodies, responses and security say what they are. */
const isElsewhere = new Set(['accept', 'content-type', 'authorization'])

/** Path parameters are known by their position in the path. */
export function parametersOf({
  document,
  name,
  operation,
  item,
  pointer,
}: Operation): ReadonlyMap<string, Located> {
  const inPath = [...name.matchAll(/\{([^}]*)\}/g)].map(([, param]) => param!)
  // What a path contains is required and text, whether or not it is described.
  const found = new Map<string, Located>()
  for (const [index, param] of inPath.entries()) {
    const value = { in: 'path', name: param, required: true, schema: { type: 'string' } }
    found.set(`path ${index}`, { value, pointer, schemaPointer: pointer, where: nameOf(value) })
  }
  for (const [home, { parameters }] of [
    [itemPointerOf(pointer), item] as const,
    [pointer, operation] as const,
  ])
    for (const [index, raw] of (Array.isArray(parameters)
      ? (parameters as readonly unknown[])
      : []
    ).entries()) {
      const value = dereference(document, raw)
      const { in: location, name: own } = value
      if (typeof own !== 'string' || (location === 'header' && isElsewhere.has(own.toLowerCase())))
        continue
      if (location === 'path' && !inPath.includes(own)) continue // nobody sends it
      const key =
        location === 'path' ? inPath.indexOf(own) : location === 'header' ? own.toLowerCase() : own
      found.set(
        `${String(location)} ${key}`,
        locatedAt(`${home}/parameters/${index}`, value, nameOf(value)),
      )
    }
  return found
}

/** Of the path item of an operation. */
export const itemPointerOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'))

export function locatedAt(pointer: string, value: Json, where: string): Located {
  const [type] = entriesOf(value['content']).map(([name]) => `/content${pointerTo([name])}`)
  return {
    value,
    pointer,
    where,
    schemaPointer: `${pointer}${value['schema'] === undefined ? (type ?? '') : ''}/schema`,
  }
}

const nameOf = ({ in: location, name }: Json): string =>
  `${String(location)} parameter ${String(name)}`

export function dereference(document: Json, value: unknown): Json {
  const { $ref } = (value ?? {}) as { readonly $ref?: unknown }
  const found = typeof $ref === 'string' ? resolve(document, $ref, false) : value
  return isObject(found) ? (found as Json) : {}
}

/** The references of an operation to other files, or to nothing. */
export const unresolvedIn = ({
  document,
  operation,
  item: { parameters },
}: Operation): readonly string[] =>
  [...JSON.stringify([parameters ?? [], operation]).matchAll(/"\$ref":("(?:[^"\\]|\\.)*")/g)]
    .map(([, ref]) => JSON.parse(ref!) as string)
    .filter((ref) => resolve(document, ref, false) === undefined)
