// Lists a document's operations, and follows what they refer to.
import { type Json, type Node, entriesOf, isObject, pointerTo } from '../json.ts'
import { type Budget, assertDepth } from '../budget.ts'
import { resolve } from '../schemas/normalize.ts'
import { data, maps } from '../without-prose.ts'

export interface Operation extends Node {
  /** `GET /users/{id}`, or `webhook userCreated: POST` */
  readonly name: string
  readonly pathItem: Node
  /** The API sends the request and the client responds: a webhook or a callback. */
  readonly isSentByApi: boolean
}

export const rootOf = (document: Json): Node => ({ document, pointer: '', value: document })

export function child({ document, pointer, value }: Node, key: string): Node {
  const isThere = value[key] !== undefined
  const inner = isThere ? pointer + pointerTo([key]) : null
  return { document, pointer: inner, value: dereference(document, value[key]) }
}

/** What a part of a node contains, by name or index. */
export function childrenOf(node: Node, key: string): readonly (readonly [string, Node])[] {
  const parent = child(node, key)
  return Object.keys(parent.value).map((name) => [name, child(parent, name)])
}

/** Follows a value's `$ref`, if it has one and the target is in the document. */
export function dereference(document: Json, value: unknown): Json {
  const { $ref } = (value ?? {}) as Json
  const target = typeof $ref === 'string' ? (resolve(document, $ref, false) ?? value) : value
  return typeof target === 'object' && target !== null ? (target as Json) : {}
}

/** Whether one of these parts is described in another file, or nowhere. */
export const isUnresolved = (...nodes: readonly Node[]): boolean =>
  nodes.some(
    ({ document, value: { $ref } }) =>
      typeof $ref === 'string' && resolve(document, $ref, false) === undefined,
  )

const methods = new Set('get put post delete options head patch trace query'.split(' '))

/**
 * Operations by method and path. `GET /users/{id}` and `GET /users/{userId}` are the same
 * operation.
 *
 * @param prefix - the part of the paths that the document's servers have
 */
export function listOperations(
  document: Json,
  prefix: string,
  budget: Budget,
): ReadonlyMap<string, Operation> {
  const operations = new Map<string, Operation>()
  const counts = new Map<string, number>()
  const root = rootOf(document)
  const paths = child(root, 'paths')
  for (const path of Object.keys(paths.value))
    add(paths, path, (prefix + path).replaceAll(/\{[^}]*\}/g, '{}'), '', false)
  const webhooks = child(root, 'webhooks')
  for (const name of Object.keys(webhooks.value))
    add(webhooks, name, `webhook ${name}`, `webhook ${name}: `, true)
  return operations

  /**
   * @param label - what comes before the method in the operation's name. If it's empty, the path
   *   comes after the method
   * @param open - the operations that contain the path item, because a callback may refer to one of
   *   them again
   */
  function add(
    home: Node,
    path: string,
    id: string,
    label: string,
    isSentByApi: boolean,
    open: readonly Json[] = [],
  ): void {
    const described = home.value[path]
    const target = child(home, path)
    // A path item's `$ref` and its siblings apply together, as in most tools.
    const value = { ...target.value, ...(isObject(described) && described) }
    const pathItem = { ...target, value }
    for (const parent of [pathItem, child(pathItem, 'additionalOperations')])
      for (const [method, given] of entriesOf(parent.value)) {
        if (!isObject(given) || (parent === pathItem && !methods.has(method))) continue
        const node = child(parent, method)
        // A callback's name isn't sent, so several may have the same address.
        const address = `${id} ${method}`
        const count = counts.get(address) ?? 0
        counts.set(address, count + 1)
        const key = `${address} ${count}`
        const name = label === '' ? `${method.toUpperCase()} ${path}` : label + method.toUpperCase()
        // OpenAPI has no references to operations, but documents in several files use them.
        const operation = node.value
        operations.set(key, { ...node, name, pathItem, isSentByApi })
        // Callbacks that share callbacks double their number with every level.
        budget.spend(10)
        assertDepth(open.length)
        if (open.includes(operation)) continue
        const around = [...open, operation]
        for (const [callback, called] of childrenOf(node, 'callbacks'))
          for (const expression of Object.keys(called.value)) {
            const inner = `${key} callback ${expression}`
            add(called, expression, inner, `${name} callback ${callback}: `, !isSentByApi, around)
          }
      }
    const { $ref } = value
    // We don't know which operations a reference to another file has, or one to nothing.
    if (typeof $ref === 'string' && resolve(document, $ref, false) === undefined)
      operations.set(`${id} $ref`, { ...pathItem, name: `$REF ${path}`, pathItem, isSentByApi })
  }
}

/** An operation's references to other files, or to nothing. */
export const unresolvedIn = ({ document, value, pathItem }: Operation): readonly string[] =>
  [
    ...JSON.stringify([pathItem.value['parameters'] ?? [], value], withoutData).matchAll(
      /"\$ref"[:,]("(?:[^"\\]|\\.)*")/g,
    ),
  ]
    .map(([, ref]) => JSON.parse(ref!) as string)
    .filter((ref) => resolve(document, ref, false) === undefined)

/** Leaves out data and extensions. Names become values, because they may look like either. */
function withoutData(key: string, value: unknown) {
  if (data.has(key) || key.startsWith('x-')) return null
  return isObject(value) && maps.has(key) ? Object.entries(value) : value
}
