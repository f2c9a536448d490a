import { RouterError } from '@hv/router'
import {
  type JsonSchema,
  followFragment,
  idOf,
  isObject,
  mapSchema,
  partsOfRef,
  stepsOf,
  subschemasOf,
} from '@hv/router/internal'

/** Collects a document's named schemas, under `components.schemas`. */
export interface Components {
  readonly schemas: Readonly<Record<string, unknown>>
  /**
   * Adds a schema to the document. Every schema with an `$id`, and every schema that a `$ref`
   * points to, becomes a component.
   *
   * @param name - the component's name if the schema refers to itself and so becomes one
   * @param root - the schema that contains this one, which `#` in a `$ref` means
   * @returns the schema as the document shows it at this position
   * @throws RouterError HV_UNKNOWN_SCHEMA
   */
  add(schema: JsonSchema, name: string, root?: JsonSchema): unknown
  /**
   * Follows a schema's `$ref`. Returns the schema it points to, and the one that contains that
   * schema.
   */
  resolve(
    schema: JsonSchema,
    name: string,
    root: JsonSchema,
  ): { readonly schema: JsonSchema; readonly root: JsonSchema }
}

/** The schema that `#` in a `$ref` means, and the name its component would have. */
interface Root {
  readonly schema: JsonSchema
  readonly name: string
  /** Whether the schema has a name of its own. Otherwise `name` comes from its action. */
  readonly isNamed: boolean
  /** The root around this one. */
  readonly outer: Root | null
}

/** What a `$ref` points to: a schema in its root, and the name its component would have. */
interface Target extends Omit<Root, 'outer'> {
  readonly root: Root
}

type SchemasById = ReadonlyMap<string, JsonSchema>

/**
 * @param shared - schemas with an `$id` that other schemas refer to
 * @param given - the app's components, which keep their names
 */
export function createComponents(
  shared: readonly JsonSchema[],
  given: Readonly<Record<string, JsonSchema>> = {},
): Components {
  const components: Record<string, unknown> = { ...given }
  const byId = new Map(shared.map((schema) => [idOf(schema) ?? '', schema]))
  const names = new Map(
    Object.entries(given).map(([name, schema]) => [`${name} ${textOf(schema, schema)}`, name]),
  )

  return {
    schemas: components,
    add: (schema, name, root = schema) =>
      visit(schema, { schema: root, name, isNamed: false, outer: null }),
    resolve(schema, name, root) {
      const { $ref } = schema
      const home = { schema: root, name, isNamed: false, outer: null }
      const target = typeof $ref === 'string' ? targetOf($ref, home, byId) : null
      return target === null
        ? { schema, root }
        : { schema: target.schema, root: target.root.schema }
    },
  }

  function visit(schema: JsonSchema, root: Root): unknown {
    if (typeof schema === 'function') return schema // ArkType's schemas are functions
    const id = idOf(schema)
    if (id === null) return inline(schema, root)
    const named = { schema, name: nameOf(id), isNamed: true, outer: root }
    return { $ref: toComponent({ ...named, root: named }) }
  }

  /**
   * Equal schemas share a component, unless they have names that differ. They needn't be the same
   * object, because some libraries create a new one on each conversion.
   *
   * @returns the `$ref` to the component
   */
  function toComponent({ schema, name: wanted, isNamed, root }: Target): string {
    const content = textOf(schema, root.schema)
    const text = isNamed ? `${wanted} ${content}` : content
    let name = names.get(text)
    if (name === undefined) {
      name = unused(wanted, components)
      names.set(text, name)
      const id = idOf(schema)
      if (id !== null) byId.set(id, schema)
      components[name] = null // reserves the name, because the schema may contain itself
      components[name] = inline(schema, root)
    }
    return `#/components/schemas/${name}`
  }

  function inline(schema: JsonSchema, root: Root): object {
    const {
      $schema: _,
      $id: _id,
      id: _name,
      $anchor: _anchor,
      $defs: _defs,
      definitions: _definitions,
      $ref,
      ...described
    } = toDraft2020(schema)
    // The referenced schema is named first, before the subschemas.
    const target = typeof $ref === 'string' ? targetOf($ref, root, byId) : null
    const reference = target === null ? $ref : toComponent(target)
    const inlined = mapSchema(described, (subschema) => visit(subschema, root))
    return reference === undefined ? inlined : { ...inlined, $ref: reference }
  }
}

/**
 * What a `$ref` points to. Null for a reference that's valid as it is: to another document, or to
 * one of the app's components.
 */
function targetOf(ref: string, root: Root, byId: SchemasById): Target | null {
  const { id, fragment } = partsOfRef(ref)
  if (fragment.startsWith('/components/')) return null
  const home = id === '' ? root : rootOf(id, root, byId)
  if (home === null && /^[a-z][a-z\d+.-]*:/i.test(id)) return null // an absolute URI
  const target = home && follow(home, fragment)
  if (target !== null) return target
  throw new RouterError('HV_UNKNOWN_SCHEMA', { where: root.name, ref, known: [...byId.keys()] })
}

/**
 * Follows a JSON Pointer or an anchor in the schema. In the document, a pointer would lead
 * elsewhere, because definitions and tuples move there.
 */
function follow(home: Root, fragment: string): Target | null {
  const values = followFragment(home.schema, fragment)
  if (values === null) return null
  const steps = stepsOf(fragment)
  const isAnchor = steps.length === 0 && fragment !== ''
  let name = isAnchor ? toName(fragment) : home.name
  let isNamed = isAnchor || home.isNamed
  let root = home
  for (const [index, step] of steps.entries()) {
    const at = values[index + 1]
    const id = isObject(at) ? idOf(at) : null
    if (id !== null) {
      name = nameOf(id)
      isNamed = true
      root = { schema: at as JsonSchema, name, isNamed, outer: root }
    } else if (steps[index - 1] === '$defs' || steps[index - 1] === 'definitions') {
      // zod numbers recursive schemas that have no name.
      isNamed = !/^__schema\d+$/.test(step)
      if (isNamed) name = toName(step)
    } else if (index === steps.length - 1) name = `${name}.${toName(step)}`
  }
  const schema = values.at(-1)
  if (typeof schema === 'boolean') return { schema: schema ? {} : { not: {} }, name, isNamed, root }
  return isObject(schema) ? { schema, name, isNamed, root } : null
}

/** The schema with this `$id`: the root or one around it, a schema in one of them, or a shared one. */
function rootOf(id: string, root: Root, byId: SchemasById): Root | null {
  for (let at: Root | null = root; at !== null; at = at.outer) {
    const schema = idsIn(at.schema).get(id)
    if (schema !== undefined) return { schema, name: nameOf(id), isNamed: true, outer: root }
  }
  const schema = byId.get(id)
  return schema === undefined ? null : { schema, name: nameOf(id), isNamed: true, outer: null }
}

/** A schema and those in it by their `$id`, of which the first counts. Each schema is read once. */
function idsIn(schema: JsonSchema): SchemasById {
  const read = () => [...subschemasOf(schema).keys()].toReversed()
  const ids = schemasById.get(schema) ?? new Map(read().map((part) => [idOf(part) ?? '', part]))
  schemasById.set(schema, ids)
  return ids
}
const schemasById = new WeakMap<JsonSchema, SchemasById>()

/** Fastify validates with draft 7, but OpenAPI 3.1 uses draft 2020-12. */
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

/**
 * Two schemas with the same text are equal, and so is what they refer to, wherever each of them keeps
 * its definitions.
 */
function textOf(schema: JsonSchema, root: JsonSchema): string {
  const targets: unknown[] = [schema]
  const texts: string[] = []
  for (const target of targets) {
    const { $schema: _, $defs: _defs, definitions: _definitions, ...own } = target as JsonSchema
    texts.push(JSON.stringify(isObject(target) ? own : target, numbered))
  }
  return texts.join()

  function numbered(key: string, value: unknown): unknown {
    if (key !== '$ref' || typeof value !== 'string' || !value.startsWith('#')) return value
    const target = followFragment(root, partsOfRef(value).fragment)?.at(-1)
    if (target === undefined) return value
    const index = targets.indexOf(target)
    return index === -1 ? targets.push(target) - 1 : index
  }
}

/** @returns the name, with a number if something else has it */
export function unused(wanted: string, taken: object): string {
  let name = wanted
  for (let n = 2; Object.hasOwn(taken, name) || name === '__proto__'; n++) name = `${wanted}${n}`
  return name
}

/** `https://acme.example/User.json#` → `User` */
const nameOf = (id: string): string =>
  toName(
    id
      .replace(/\/$/, '')
      .split('/')
      .at(-1)!
      .replace(/\.json$/, ''),
  )

/** OpenAPI allows only some characters in a component's name. */
const toName = (text: string): string => text.replace(/[^\w.-]/g, '_') || 'Schema'
