// Lists a document's operations, and resolves what they refer to.
import { type Json, entriesOf, isObject, listOf, pointerTo } from '../json.ts'
import { resolve } from '../schemas/normalize.ts'

export interface Operation {
  /** `GET /users/{id}`, or `webhook userCreated: POST` */
  readonly name: string
  /** JSON Pointer into the document. */
  readonly pointer: string
  readonly operation: Json
  /** The path item. */
  readonly item: Json
  readonly document: Json
  /** The API sends the request and the client responds: a webhook or a callback. */
  readonly isSentByApi: boolean
}

type Identity = Pick<Operation, 'name' | 'isSentByApi'> & { readonly key: string }

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/**
 * Operations by method and path. `GET /users/{id}` and `GET /users/{userId}` are the same
 * operation.
 */
export function listOperations(document: Json): ReadonlyMap<string, Operation> {
  const operations = new Map<string, Operation>()
  for (const [path, item] of entriesOf(document['paths']))
    add(`/paths${pointerTo([path])}`, item, (method) => ({
      key: `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`,
      name: `${method.toUpperCase()} ${path}`,
      isSentByApi: false,
    }))
  for (const [webhook, item] of entriesOf(document['webhooks']))
    add(`/webhooks${pointerTo([webhook])}`, item, (method) => ({
      key: `webhook ${webhook} ${method}`,
      name: `webhook ${webhook}: ${method.toUpperCase()}`,
      isSentByApi: true,
    }))
  return operations

  /** @param open - the operations around the path item: a callback may lead back to one of them */
  function add(
    home: string,
    pathItem: unknown,
    identify: (method: string) => Identity,
    open: readonly Json[] = [],
  ): void {
    for (const [method, operation, item] of methodsOf(document, pathItem)) {
      const { key: basicKey, ...identity } = identify(method)
      // A callback's name isn't sent, so several may have the same address.
      let key = basicKey
      while (operations.has(key)) key += '+'
      const pointer = `${home}/${method}`
      operations.set(key, { ...identity, pointer, operation, item, document })
      if (open.includes(operation)) continue
      for (const [callback, expressions] of entriesOf(operation['callbacks']))
        for (const [expression, calledItem] of entriesOf(dereference(document, expressions))) {
          const identifyCalled = (called: string): Identity => ({
            key: `${key} callback ${expression} ${called}`,
            name: `${identity.name} callback ${callback}: ${called.toUpperCase()}`,
            isSentByApi: !identity.isSentByApi,
          })
          const calledAt = `${pointer}/callbacks${pointerTo([callback, expression])}`
          add(calledAt, calledItem, identifyCalled, [...open, operation])
        }
    }
  }
}

/**
 * A path item's operations. What it refers to holds together with what's beside the reference, as
 * most tools read it. A reference to another file, or to nothing, stands for operations that nobody
 * knows, under the method `$ref`.
 */
function methodsOf(
  document: Json,
  pathItem: unknown,
): readonly (readonly [method: string, operation: Json, item: Json])[] {
  const item = { ...dereference(document, pathItem), ...(isObject(pathItem) && pathItem) }
  const isLost = item['$ref'] && resolve(document, item['$ref'] as string, false) === undefined
  const listed = methods.map((method) => [method, item[method]] as const)
  const more = entriesOf(item['additionalOperations'])
  const lost = isLost ? [['$ref', pathItem] as const] : []
  return [...listed, ...more, ...lost].flatMap(([method, value]) => {
    // OpenAPI has no references to operations, but documents in several files use them.
    const target = dereference(document, value)
    const operation = Object.keys(target).length > 0 ? target : value
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

/**
 * OpenAPI ignores these header parameters, because bodies, responses and security describe them.
 */
const describedElsewhere = new Set(['accept', 'content-type', 'authorization'])

/**
 * Parameters by what identifies them: path parameters by their position in the path, all others by
 * their name.
 */
export function parametersOf({
  document,
  name: operationName,
  operation,
  item,
  pointer,
}: Operation): ReadonlyMap<string, Located> {
  const parameters = new Map<string, Located>()
  // What a path contains is required and text, even if it isn't described.
  const inPath = [...operationName.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!)
  for (const [index, name] of inPath.entries()) {
    const value = { in: 'path', name, required: true, schema: { type: 'string' } }
    const where = nameOf(value)
    parameters.set(`path ${index}`, { value, pointer, schemaPointer: pointer, where })
  }
  const homes = [[itemPointerOf(pointer), item] as const, [pointer, operation] as const]
  for (const [home, described] of homes)
    for (const [index, parameter] of listOf(described['parameters']).entries()) {
      const value = dereference(document, parameter)
      const { in: location, name } = value
      if (typeof name !== 'string') continue
      const lowerName = name.toLowerCase()
      if (location === 'header' && describedElsewhere.has(lowerName)) continue
      if (location === 'path' && !inPath.includes(name)) continue // nobody can send it
      const id =
        location === 'path' ? inPath.indexOf(name) : location === 'header' ? lowerName : name
      const located = locatedAt(`${home}/parameters/${index}`, value, nameOf(value))
      parameters.set(`${String(location)} ${id}`, located)
    }
  return parameters
}

/** The JSON Pointer of an operation's path item. */
export const itemPointerOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'))

export function locatedAt(pointer: string, value: Json, where: string): Located {
  const [mediaType] = entriesOf(value['content']).map(([type]) => `/content${pointerTo([type])}`)
  const schemaHome = value['schema'] === undefined ? (mediaType ?? '') : ''
  return { value, pointer, where, schemaPointer: `${pointer}${schemaHome}/schema` }
}

const nameOf = ({ in: location, name }: Json): string =>
  `${String(location)} parameter ${String(name)}`

/** A value, or what it refers to. An empty object if that isn't in the document. */
export function dereference(document: Json, value: unknown): Json {
  const { $ref } = (value ?? {}) as { readonly $ref?: unknown }
  const target = typeof $ref === 'string' ? resolve(document, $ref, false) : value
  return isObject(target) ? target : {}
}

/** An operation's references to other files, or to nothing. */
export const unresolvedIn = ({
  document,
  operation,
  item: { parameters },
}: Operation): readonly string[] =>
  [...JSON.stringify([parameters ?? [], operation]).matchAll(/"\$ref":("(?:[^"\\]|\\.)*")/g)]
    .map(([, ref]) => JSON.parse(ref!) as string)
    .filter((ref) => resolve(document, ref, false) === undefined)
