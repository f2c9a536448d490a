// Reads DTO classes as schemas, which is what changes work with.
import { createRequire } from 'node:module'
import type { Schema } from '@hv/router'
import { type JsonSchema, isLibrary, isObject, mapSchema, toJsonSchema } from '@hv/router/internal'
import type { Type } from '@nestjs/common'
import { ancestorsOf } from './inheritance.ts'

/** What decorators such as `@ApiProperty()`, `@ApiResponse()` and `@ApiBody()` declare. */
export interface Declared {
  readonly type?: unknown
  readonly isArray?: boolean
  readonly required?: boolean
  readonly nullable?: boolean
  readonly enum?: object
  /** The name in JSON, if it isn't the property's. */
  readonly name?: string
  readonly schema?: Schema
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
  /** A library's schema, since Nest 12. */
  readonly standardSchema?: Schema
}

const modelProperty = 'swagger/apiModelProperties'
const schemas = new WeakMap<object, Schema>()
/** The classes that schemas were read from. */
const classes = new WeakMap<object, Type>()
/** Schemas of values about which nothing is known, each with the sentence that says so. */
const unreadable = new WeakMap<object, string>()

const simpleTypes = new Map<unknown, JsonSchema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [BigInt, { type: 'integer' }],
  [Date, { type: 'string', format: 'date-time' }],
])
/** The types that TypeScript writes for interfaces, unions and lists. They don't say what's inside. */
const emptyTypes = new Set<unknown>([undefined, null, Object, Array, Promise, Function])

/**
 * Returns a DTO class's schema. `[User]` is a list, and a schema is itself. DTOs from nestjs-zod are
 * their zod schema.
 *
 * @param problem - says what's missing if the type is empty
 */
export function schemaOf(dto: unknown, problem = 'became() needs DTO classes'): Schema {
  if (Array.isArray(dto)) return { type: 'array', items: schemaOf(dto[0], problem) }
  if (typeof dto === 'string') return { type: dto }
  if (simpleTypes.has(dto)) return simpleTypes.get(dto)!
  if (emptyTypes.has(dto)) return markUnreadable(problem)
  if (typeof dto !== 'function' || isLibrary(dto)) return dto as Schema
  let schema = schemas.get(dto)
  if (schema === undefined) {
    schema = readClass(dto as Type)
    classes.set(schema as object, dto as Type)
  }
  return schema
}

function readClass(dto: Type): Schema {
  const { schema: zodSchema } = dto as { readonly schema?: unknown }
  if (isLibrary(zodSchema)) {
    schemas.set(dto, zodSchema)
    return zodSchema
  }
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  // Comparisons ignore $comment and copies keep it, so a rebuilt schema still knows its class.
  const schema = { type: 'object', title: dto.name, $comment: dto, properties, required }
  schemas.set(dto, schema)
  const models = modelsOf(dto)
  for (const [name, declared] of propertiesOf(dto)) {
    const problem = `${dto.name}.${name} has no type that can be read. Add @ApiProperty({ type: … })`
    properties[name] = declaredSchema(declared, models, problem)
    // With @Expose({ name }), JSON has the other name, and instances have this one.
    if (declared.name !== undefined) properties[declared.name] = properties[name]
    if (declared.required !== false) required.push(name)
  }
  if (Object.keys(properties).length === 0)
    unreadable.set(schema, `no property of ${dto.name} is declared. Add @ApiProperty() to them`)
  return schema
}

function markUnreadable(problem: string): Schema {
  const schema = {}
  unreadable.set(schema, problem)
  return schema
}

/** Says which part of a schema can't be read, if any. A change could be in there unnoticed. */
export function describeUnreadable(schema: Schema): string | undefined {
  return [schema as JsonSchema, ...partsOf(schema)]
    .map((part) => unreadable.get(part))
    .find((problem) => problem !== undefined)
}

/** Returns the schemas in a schema. If it's recursive, it's one of them. */
export function partsOf(schema: Schema, parts = new Set<JsonSchema>()): ReadonlySet<JsonSchema> {
  if (!isObject(schema) || isLibrary(schema)) return parts
  mapSchema(schema, (part) => {
    if (parts.has(part)) return
    parts.add(part)
    partsOf(part, parts)
  })
  return parts
}

/** The class that a schema was read from, or from which it was rebuilt. */
export const baseOf = (schema: Schema): Type | undefined => {
  const { $comment: base } = schema as JsonSchema
  return typeof base === 'function' ? (base as Type) : undefined
}

/** Returns the schema that a decorator declares. */
export function declaredSchema(
  declared: Declared,
  models: readonly Type[],
  problem: string,
): Schema {
  const { type, isArray, nullable, schema, content, standardSchema, ...keywords } = declared
  const { enum: values, name: _name, required: _required, ...others } = keywords
  const isOpen = type === 'array' ? !('items' in others) : type === undefined
  const isUnion = 'oneOf' in others || 'anyOf' in others || 'allOf' in others
  let read = standardSchema ?? schema ?? Object.values(content ?? {})[0]?.schema
  if (values !== undefined) read = { enum: Object.values(values) as unknown[], ...others }
  else if (typeof type === 'string' && !isOpen) read = { type, ...others }
  else if (isUnion) read = others
  if (read === undefined) {
    const isLazy = typeof type === 'function' && type.name === 'type' // `type: () => User`
    read = schemaOf(isLazy ? (type as () => unknown)() : isOpen ? undefined : type, problem)
  } else if (!isLibrary(read)) read = withModels(read, models)
  if (isArray && type !== 'array') read = { type: 'array', items: read }
  return nullable ? { anyOf: [read, { type: 'null' }] } : read
}

/** Replaces what `getSchemaPath(User)` returns, which is the name of a class, by its schema. */
function withModels(schema: Schema, models: readonly Type[]): Schema {
  const [, name] =
    /^#\/components\/schemas\/(.+)$/.exec(String((schema as JsonSchema)['$ref'])) ?? []
  if (name === undefined) return mapSchema(schema as JsonSchema, (part) => withModels(part, models))
  const model = models.find((candidate) => nameOf(candidate) === name)
  if (model !== undefined) return schemaOf(model, '')
  return markUnreadable(`getSchemaPath(${name}) needs @ApiExtraModels(${name}) beside it`)
}

/** The classes of `@ApiExtraModels()`. */
export const modelsOf = (target: object): readonly Type[] =>
  (Reflect.getMetadata('swagger/apiExtraModels', target) as Type[] | undefined) ?? []

const nameOf = (model: Type): string => {
  const [schema] = (Reflect.getMetadata('swagger/apiSchema', model) ?? []) as { name?: string }[]
  return schema?.name ?? model.name
}

/**
 * Collects a class's properties from `@nestjs/swagger`, its compiler plugin, class-validator and
 * class-transformer.
 */
function propertiesOf(dto: Type): ReadonlyMap<string, Declared> {
  const properties = new Map<string, Declared>()
  const add = (name: string, declared: Declared): void =>
    void properties.set(name, { ...properties.get(name), ...declared })
  const prototype = dto.prototype as object
  const validator = optional('class-validator')?.getMetadataStorage()
  const rules = validator?.getTargetValidationMetadatas(dto, '', false, false) ?? []
  const transformer = optional('class-transformer/cjs/storage')?.defaultMetadataStorage
  const exposed = transformer?.getExposedMetadatas(dto) ?? []
  for (const { propertyName: name, type } of [...rules, ...exposed])
    if (name !== undefined)
      add(name, {
        type: Reflect.getMetadata('design:type', prototype, name),
        ...(type === 'conditionalValidation' && { required: false }), // @IsOptional()
      })
  for (const owner of [dto, ...ancestorsOf(dto)].toReversed()) {
    const plugin = '_OPENAPI_METADATA_FACTORY'
    if (!Object.hasOwn(owner, plugin)) continue
    const factory = (owner as never)[plugin] as () => Record<string, Declared>
    for (const [name, declared] of Object.entries(factory())) add(name, declared)
  }
  for (const key of (Reflect.getMetadata(`${modelProperty}Array`, prototype) ?? []) as string[]) {
    const name = key.slice(1) // they begin with a colon
    add(name, Reflect.getMetadata(modelProperty, prototype, name) as Declared)
  }
  for (const [name, { type, isArray }] of properties) {
    const typed = transformer?.findTypeMetadata(dto, name)
    if (typed !== undefined && emptyTypes.has(type))
      add(name, { type: typed.typeFunction(), isArray: isArray ?? type === Array })
  }
  return properties
}
/**
 * Loads a package that the app may have. Its CommonJS copy has the metadata: the packages have no
 * other one that Node loads.
 */
function optional(name: string): any {
  try {
    return createRequire(import.meta.url)(name)
  } catch {
    return undefined
  }
}

/**
 * Returns the class of a schema's values, for pipes and documents: the declared one. For a schema
 * that a change rebuilt, it's a subclass, whose changed properties have the older types.
 */
export function classOf(schema: Schema): Type | undefined {
  const dto = classes.get(schema as object)
  if (dto !== undefined) return dto
  const base = baseOf(schema)
  if (base === undefined) return isLibrary(schema) ? zodDtoOf(schema) : undefined
  const rebuilt = { [base.name]: class extends base {} }[base.name]!
  classes.set(schema as object, rebuilt)
  const prototype = rebuilt.prototype as object
  const newer = (schemas.get(base) as ObjectSchema).properties
  const models = new Set(modelsOf(base))
  for (const [name, property] of Object.entries((schema as ObjectSchema).properties)) {
    if (property === newer[name]) continue
    const declared = Reflect.getMetadata(modelProperty, prototype, name) as Declared | undefined
    const description = describeSchema(property, models)
    const older = { ...declared, type: Object, isArray: false, ...description }
    Reflect.defineMetadata(modelProperty, older, prototype, name)
    if (description.type !== undefined)
      optional('class-transformer')?.Type(() => description.type)(prototype, name)
  }
  Reflect.defineMetadata('swagger/apiExtraModels', [...models], rebuilt)
  return rebuilt
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, Schema>>
}

/** What nestjs-zod's pipe takes for a DTO. */
function zodDtoOf(schema: object): Type {
  const { parse } = schema as { parse(value: unknown): unknown }
  return class {
    static readonly isZodDto = true
    static readonly schema = schema
    static readonly create = (value: unknown): unknown => parse(value)
  }
}

/**
 * Describes a schema as decorators do.
 *
 * @param models - gets the classes to which the description refers by name
 */
export function describeSchema(schema: Schema, models: Set<Type>): Declared {
  const { type, items, anyOf } = schema as JsonSchema
  if (isModel(schema)) return { type: classOf(schema) }
  if (type === 'array' && isModel(items)) return { type: classOf(items as Schema), isArray: true }
  if (Array.isArray(anyOf) && anyOf.length === 2 && anyOf[1]?.type === 'null')
    return { ...describeSchema(anyOf[0] as Schema, models), nullable: true }
  return refer(schema, models)
}

const isModel = (schema: unknown): boolean =>
  isObject(schema) && (baseOf(schema) !== undefined || classes.has(schema))

function refer(schema: Schema, models: Set<Type>): JsonSchema {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} }
  if (isLibrary(schema)) return toJsonSchema(schema, 'output', 'before()')
  if (!isModel(schema)) return mapSchema(schema as JsonSchema, (part) => refer(part, models))
  const model = classOf(schema)!
  models.add(model)
  return { $ref: `#/components/schemas/${nameOf(model)}` }
}
