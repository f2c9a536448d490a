import type { Comparison } from '../finding.ts'
import { type Json, type Node, isEqual, isObject } from '../json.ts'
import type { Direction } from '../schemas/gap.ts'
import { normalize } from '../schemas/normalize.ts'
import { defaultGap, requirement } from '../schemas/objects.ts'
import { typesOf } from '../schemas/shape.ts'
import { sendable, single } from '../schemas/text.ts'
import { typeKey } from './content.ts'
import { type Operation, child, childrenOf, isUnresolved } from './list-operations.ts'

/** A parameter or a header. */
export interface Located extends Node {
  /** `query parameter limit`, `status 200: header Location` */
  readonly where: string
  readonly schema: unknown
  /** The same, normalized. */
  readonly shape: Json
  readonly schemaNode: Node
}

export function locatedAt(node: Node, where: string): Located {
  const [media] = childrenOf(node, 'content')
  const home = node.value['schema'] === undefined && media ? media[1] : node
  const { schema } = home.value
  const shape = normalize(node.document, schema)
  return { ...node, where, schema, shape, schemaNode: child(home, 'schema') }
}

/**
 * OpenAPI ignores these header parameters, because bodies, responses and security describe them.
 */
const describedElsewhere = new Set(['accept', 'content-type', 'authorization'])

/** Parameters by identity: a path parameter's is its position in the path, any other's its name. */
export function parametersOf(operation: Operation): ReadonlyMap<string, Located> {
  const parameters = new Map<string, Located>()
  // A parameter in the path is a string, even if the document doesn't describe it.
  const inPath = [...operation.name.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!)
  for (const [index, name] of inPath.entries()) {
    const value = { in: 'path', schema: { type: 'string' } }
    const node = { ...operation, value }
    const located = locatedAt(node, `path parameter ${name}`)
    parameters.set(`path ${index}`, { ...located, schemaNode: node })
  }
  for (const home of [operation.pathItem, operation])
    for (const [, node] of childrenOf(home, 'parameters')) {
      const { in: location, name, $ref } = node.value
      if (isUnresolved(node)) parameters.set(`$ref ${String($ref)}`, locatedAt(node, ''))
      if (typeof name !== 'string') continue
      const lowerName = name.toLowerCase()
      if (location === 'header' && describedElsewhere.has(lowerName)) continue
      const id =
        location === 'path' ? inPath.indexOf(name) : location === 'header' ? lowerName : name
      if (id === -1) continue // it isn't in the path, so it can't be sent
      const where = `${String(location)} parameter ${name}`
      parameters.set(`${String(location)} ${id}`, locatedAt(node, where))
    }
  return parameters
}

/**
 * Compares an operation's parameters, or a response's headers, by identity.
 *
 * @param direction - who sends them: the API sends a webhook's parameters, and clients send the
 *   headers of its responses
 */
export function compareNamed(
  older: ReadonlyMap<string, Located>,
  newer: ReadonlyMap<string, Located>,
  direction: Direction,
  lostCode: 'lost-parameter' | 'lost-header',
  { report, compareSchemas }: Comparison,
): void {
  const isRequest = direction === 'request'
  // One that's described in another file may be any of them.
  const isPartial = [...older.keys(), ...newer.keys()].some(
    (key) => key.startsWith('$ref') && !(older.has(key) && newer.has(key)),
  )
  for (const [key, before] of older) {
    const after = newer.get(key)
    const place = { direction, before, after: after ?? null, where: before.where }
    if (after) compareEach(before, after)
    else if (!isPartial) report(place, lostCode, 'is gone')
  }
  for (const [key, after] of isRequest && !isPartial ? newer : []) {
    const before = older.get(key) ?? null
    if (!isRequired(after) || (before && isRequired(before))) continue
    const { why, isMinor } = requirement(before !== null, after.shape)
    const place = { direction, before, after, where: (before ?? after).where }
    report(place, 'new-requirement', why, isMinor)
  }

  function compareEach(before: Located, after: Located) {
    if (isUnresolved(before, after)) return
    const place = { direction, before, after, where: before.where }
    const wasRequired = isRequired(before)
    if (!isRequest && wasRequired && !isRequired(after)) report(place, lostCode, 'may be missing')
    // A required parameter is always sent, so nobody gets its default.
    const isRepeated = serializationOf(after, false).join().startsWith('form,true')
    const inPath = before.value['in'] === 'path' ? 'path' : 'text'
    const form = isObject(before.value['content']) ? 'json' : isRepeated ? 'query' : inPath
    const difference = defaultGap(before.shape, after.shape, form)
    if (isRequest && !wasRequired && difference !== null)
      report(place, 'changed-default', difference.why, true)
    const sent = isRequest ? before : after
    const isSingle = typesOf(sendable(sent.shape, form)).every((type) => single.has(type))
    if (!isEqual(serializationOf(before, isSingle), serializationOf(after, isSingle)))
      report(place, 'unclear-change', 'is serialized in another form')
    compareSchemas({
      ...place,
      before: before.schemaNode,
      after: after.schemaNode,
      olderSchema: before.schema,
      newerSchema: after.schema,
      form,
    })
  }
}

/** A parameter in the path is always sent, even if the document doesn't say that it's required. */
const isRequired = ({ value }: Node) => value['required'] === true || value['in'] === 'path'

/**
 * How a value is written, with OpenAPI's defaults: style, explode, reserved characters, media type.
 *
 * @param isSingle - there's nothing to explode
 */
function serializationOf({ value }: Node, isSingle: boolean) {
  const isForm = value['in'] === 'query' || value['in'] === 'cookie'
  const style = value['style'] ?? (isForm ? 'form' : 'simple')
  const { explode = style === 'form', allowReserved = false, allowEmptyValue = false } = value
  const types = Object.keys(value['content'] ?? {}).map(typeKey)
  return [style, !isSingle && explode, allowReserved, allowEmptyValue, types]
}
