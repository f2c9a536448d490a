import { RouterError } from '@hv/router'
import { type JsonSchema, isObject, mapSchema } from '@hv/router/adapter'

/** Collects the schemas of a document that have a name, under `components.schemas`. */
export interface Components {
  readonly schemas: Readonly<Record<string, unknown>>
  /**
   * Adds a schema to the document. Every schema with an `$id`, and every schema that a `$ref` names, becomes a component.
   *
   * @param name - name of the component that the schema becomes if it refers to itself
   * @param root - the schema that contains this one; `#` in a `$ref` means it
   * @returns the schema as the document shows it at this position
   * @throws RouterError HV_UNKNOWN_SCHEMA
   */
  add(schema: JsonSchema, name: string, root?: JsonSchema): unknown
  /** Follows the `$ref` of a schema to the schema that it names. */
  resolve(schema: JsonSchema, name: string, root?: JsonSchema): JsonSchema
}

/** The schema that `#` in a `$ref` means, and the name that its component would have. */
interface Root {
  readonly schema: JsonSchema
  readonly name: string
  /** The root that contains this one. */
  readonly outer: Root | null
}

/** What a `$ref` names: a schema in its root, and the rest of the JSON Pointer below it. */
interface Target {
  readonly schema: JsonSchema
  readonly name: string
  readonly root: Root
  readonly pointer: string
}

type SchemasById = ReadonlyMap<string, JsonSchema>

/** @param shared - schemas with an `$id` that other schemas refer to */
export function createComponents(shared: readonly JsonSchema[]): Components {
  const components: Record<string, unknown> = {}
  const byId = new Map(shared.map((schema) => [withoutHash(schema['$id']), schema]))
  const names = new Map<string, string>()

  return {
    schemas: components,
    add: (schema, name, root = schema) => visit(schema, { schema: root, name, outer: null }),
    resolve(schema, name, root = schema) {
      const { $ref } = schema
      if (typeof $ref !== 'string') return schema
      const target = targetOf($ref, { schema: root, name, outer: null }, byId)
      return target === null || target.pointer !== '' ? schema : target.schema
    },
  }

  function visit(schema: JsonSchema, root: Root): unknown {
    const { $id, $ref } = schema
    if (typeof $id === 'string') return toComponent(schema, nameOf($id), { schema, name: nameOf($id), outer: root })
    return typeof $ref === 'string' ? refer(schema, $ref, root) : inline(schema, root)
  }

  function refer({ $ref: _ref, ...siblings }: JsonSchema, ref: string, root: Root): unknown {
    const target = targetOf(ref, root, byId)
    const component = target && toComponent(target.schema, target.name, target.root)
    return { ...(inline(siblings, root) as object), $ref: target ? component!.$ref + target.pointer : ref }
  }

  /** Equal schemas share a component. Some libraries create a new object on each conversion, so identity decides nothing. */
  function toComponent(schema: JsonSchema, wanted: string, root: Root): { readonly $ref: string } {
    const own = JSON.stringify(schema)
    const surroundings = own.includes('"$ref":"#"') ? root.schema : definitionsOf(root.schema)
    const text = schema === root.schema ? own : JSON.stringify([schema, surroundings])
    let name = names.get(text)
    if (name === undefined) {
      name = unused(wanted, components)
      names.set(text, name)
      if (typeof schema['$id'] === 'string') byId.set(withoutHash(schema['$id']), schema)
      components[name] = null // reserves the name: the schema may contain itself
      components[name] = typeof schema['$ref'] === 'string' ? refer(schema, schema['$ref'], root) : inline(schema, root)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  function inline(schema: JsonSchema, root: Root): unknown {
    const { $schema: _, $id: _id, id: _name, $defs: _defs, definitions: _definitions, ...rest } = toDraft2020(schema)
    return mapSchema(rest, (subschema) => visit(subschema, root))
  }
}

/** Null for a reference that is valid as it is: another document, or a component of the app. */
function targetOf(ref: string, root: Root, byId: SchemasById): Target | null {
  const unknown = () => new RouterError('HV_UNKNOWN_SCHEMA', { where: root.name, ref, known: [...byId.keys()] })
  const [base = '', pointer = ''] = ref.split('#')
  if (pointer.startsWith('/components/')) return null
  const home = base === '' ? root : rootOf(base, root, byId)
  if (home === null) {
    if (/^[a-z][a-z\d+.-]*:/i.test(base)) return null // an absolute URI
    throw unknown()
  }
  const [, list, key, rest = ''] = /^\/(\$defs|definitions)\/([^/]+)(\/.*)?$/.exec(pointer) ?? []
  if (list === undefined) return { ...home, root: home, pointer }
  const name = decodePointer(key!)
  const schema = (home.schema[list] as Readonly<Record<string, JsonSchema>> | undefined)?.[name]
  if (schema === undefined) throw unknown()
  // zod numbers the recursive schemas that have no name of their own.
  return { schema, name: /^__schema\d+$/.test(name) ? home.name : toName(name), root: home, pointer: rest }
}

/** The schema with an `$id`: this root or an outer one, one of their definitions, or a shared schema. */
function rootOf(id: string, root: Root, byId: SchemasById): Root | null {
  for (let at: Root | null = root; at !== null; at = at.outer) {
    const candidates = [at.schema, ...definitionsOf(at.schema)]
    const schema = candidates.find((one) => withoutHash(one['$id']) === id)
    if (schema !== undefined) return { schema, name: nameOf(id), outer: root }
  }
  const schema = byId.get(id)
  return schema === undefined ? null : { schema, name: nameOf(id), outer: null }
}

/** Fastify validates draft 7. OpenAPI 3.1 uses draft 2020-12. */
function toDraft2020({ nullable, additionalItems, items, ...schema }: JsonSchema): JsonSchema {
  const { type } = schema
  return {
    ...schema,
    ...(Array.isArray(items)
      ? { prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
      : items !== undefined && { items }),
    ...(nullable === true && type !== undefined && { type: [...new Set([type, 'null'].flat())] }),
  }
}

const definitionsOf = (schema: JsonSchema): readonly JsonSchema[] =>
  [schema['$defs'], schema['definitions']].flatMap((map) => (isObject(map) ? Object.values(map).filter(isObject) : []))

function unused(wanted: string, taken: object): string {
  let name = wanted
  for (let n = 2; name in taken; n++) name = `${wanted}${n}`
  return name
}

const withoutHash = (id: unknown): string => (typeof id === 'string' ? id.replace(/#$/, '') : '')

/** `https://acme.example/User.json#` → `User` */
const nameOf = (id: string): string =>
  toName(
    withoutHash(id)
      .replace(/\/$/, '')
      .split('/')
      .at(-1)!
      .replace(/\.json$/, ''),
  )

/** The characters that OpenAPI allows in the name of a component. */
const toName = (text: string): string => text.replace(/[^\w.-]/g, '_') || 'Schema'

const decodePointer = (text: string): string => decodeURIComponent(text).replaceAll('~1', '/').replaceAll('~0', '~')
