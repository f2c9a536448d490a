// Reads DTO classes as schemas, which is what changes work with, and makes classes of older
// schemas.
import { createRequire } from 'node:module'
import type { Schema } from '@hv/router'
import {
  type JsonSchema,
  isLibrary,
  isObject,
  mapSchema,
  subschemasOf,
  toJsonSchema,
} from '@hv/router/internal'
import type { Type } from '@nestjs/common'
import { ancestorsOf } from './inheritance.ts'

/**
 * What decorators such as `@ApiProperty()`, `@ApiResponse()` and `@ApiBody()` declare: `type`,
 * `isArray`, `enum`, `schema`, `name` (the one in JSON, if it isn't the property's) and so on.
 */
export type Declared = Readonly<Record<string, any>>

/** The schema of a DTO class, or one that a change made of it. */
interface DtoSchema {
  /** Comparisons ignore it and copies keep it, so a rebuilt schema still knows its class. */
  readonly $comment: Type
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: readonly string[]
}

const modelProperty = 'swagger/apiModelProperties'
export const modelsKey = 'swagger/apiExtraModels'
// These are metadata rather than maps, because a CommonJS app may create its documents in an ES
// module, which gets its own copy of this package.
/** The key of a class's schema. */
const kSchema = Symbol.for('@hv/router-nest.schema')
/** The key of the class of a library's schema, or of one that a change rebuilt. */
const kClass = Symbol.for('@hv/router-nest.class')

const simpleTypes = new Map<unknown, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [BigInt, 'integer'],
  [Date, 'string'],
])
/**
 * The types that TypeScript emits for interfaces, unions and lists. They don't say what's inside.
 */
const emptyTypes = new Set<unknown>([undefined, null, Object, Array, Promise, Function])

/**
 * Returns a DTO class's schema. `[User]` is a list, and a library's schema is itself. DTOs from
 * nestjs-zod are their zod schema.
 *
 * @param problem - says what's missing if the type is empty
 */
export function schemaOf(dto: unknown, problem: string): Schema {
  if (Array.isArray(dto)) return { type: 'array', items: schemaOf(dto[0], problem) }
  const type = simpleTypes.get(dto)
  if (type) return { type }
  if (isLibrary(dto)) return dto
  if (emptyTypes.has(dto) || (dto as Type).prototype === undefined) return unreadable(problem)
  return Reflect.getOwnMetadata(kSchema, dto as Type) ?? readClass(dto as Type)
}

function readClass(dto: Type): Schema {
  const { schema: librarySchema } = dto as any
  if (isLibrary(librarySchema)) {
    Reflect.defineMetadata(kClass, dto, librarySchema)
    return librarySchema
  }
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  const schema = { type: 'object', $comment: dto, properties, required }
  Reflect.defineMetadata(kSchema, schema, dto) // before its properties, because they may contain it
  const models = modelsOf(dto)
  for (const [name, declared] of propertiesOf(dto)) {
    properties[name] = declaredSchema(
      declared,
      models,
      `${dto.name}.${name} has no type that can be read. Add @ApiProperty({ type: … })`,
    )
    // With @Expose({ name }), JSON has the other name, and instances have this one.
    if (declared.name !== undefined) properties[declared.name] = properties[name]
    if (declared.required !== false) required.push(name)
  }
  if (Object.keys(properties).length === 0)
    Object.assign(schema, {
      additionalProperties: unreadable(
        `no property of ${dto.name} is declared. Add @ApiProperty() to them`,
      ),
    })
  return schema
}

/**
 * The schema of values that can't be read from decorators, so a change in them would go unnoticed.
 */
const unreadable = (problem: string): Schema => ({ $comment: new Error(problem) })

/** Returns a schema and the schemas in it, unless it's a library's. */
export const partsOf = (schema: unknown): readonly JsonSchema[] =>
  isObject(schema) && !isLibrary(schema) ? [...subschemasOf(schema).keys()] : []

/** Whether a schema was read from a class, or rebuilt from such a schema. */
export const isDtoSchema = (schema: unknown): schema is DtoSchema =>
  typeof (schema as JsonSchema)['$comment'] === 'function'

/** Returns the schema that a decorator declares. */
export function declaredSchema(
  declared: Declared,
  models: readonly Type[],
  problem: string,
): Schema {
  const {
    type,
    isArray,
    nullable,
    schema,
    content = {},
    standardSchema,
    enum: values,
    name: _name,
    required: _required,
    ...others
  } = declared
  const body = content['application/json'] ?? Object.values(content)[0]
  let read = standardSchema ?? schema ?? body?.schema
  if (values !== undefined) read = { enum: Object.values(values) }
  else if (typeof type === 'string') read = { type, ...others }
  else if ('oneOf' in others || 'anyOf' in others || 'allOf' in others) read = others
  if (read === undefined) {
    // The function in `type: () => User` is called `type`.
    read = schemaOf(type?.name === 'type' ? type() : type, problem)
  } else if (!isLibrary(read)) read = withModels(read, models)
  if (isArray && type !== 'array') read = { type: 'array', items: read }
  return nullable ? { anyOf: [read, { type: 'null' }] } : read
}

/** Replaces what `getSchemaPath(User)` returns, a class's name, with the class's schema. */
function withModels(schema: Schema, models: readonly Type[]): Schema {
  const { $ref } = schema as JsonSchema
  if ($ref === undefined) return mapSchema(schema as JsonSchema, (part) => withModels(part, models))
  const model = models.find((candidate) => pathOf(candidate) === $ref)
  return schemaOf(model, `${String($ref)} needs @ApiExtraModels() with its class beside it`)
}

/** The classes of `@ApiExtraModels()`. */
export const modelsOf = (target: object): readonly Type[] =>
  Reflect.getMetadata(modelsKey, target) ?? []

/** What `getSchemaPath()` returns. */
function pathOf(model: Type): string {
  const [schema] = Reflect.getMetadata('swagger/apiSchema', model) ?? []
  return `#/components/schemas/${schema?.name ?? model.name}`
}

/**
 * Collects a class's properties from `@nestjs/swagger`, its compiler plugin, class-validator and
 * class-transformer.
 */
function propertiesOf(dto: Type): ReadonlyMap<string, Declared> {
  const { prototype } = dto
  const properties = new Map<string, Declared>()
  const add = (name: string, declared: Declared): void =>
    void properties.set(name, { ...properties.get(name), ...declared })
  // There's only one copy of each per process, however the app imported it.
  const { classValidatorMetadataStorage: validator } = globalThis as any
  const { defaultMetadataStorage: transformer } = optional('class-transformer/cjs/storage')
  for (const { propertyName, type } of [
    ...(validator?.getTargetValidationMetadatas(dto, '', false, false) ?? []),
    ...(transformer?.getExposedMetadatas(dto) ?? []),
    // An excluded property is never in a response.
    ...(transformer?.getMetadata(transformer._typeMetadatas, dto) ?? []).filter(
      (typed: Declared) => !transformer.findExcludeMetadata(dto, typed.propertyName),
    ),
  ])
    if (propertyName !== undefined)
      add(propertyName, {
        type: Reflect.getMetadata('design:type', prototype, propertyName),
        ...(type === 'conditionalValidation' && { required: false }), // @IsOptional()
      })
  for (const owner of [dto, ...ancestorsOf(dto)].toReversed() as any[])
    for (const [name, declared] of Object.entries<Declared>(
      owner._OPENAPI_METADATA_FACTORY?.() ?? {},
    ))
      add(name, declared)
  for (const key of Reflect.getMetadata(`${modelProperty}Array`, prototype) ?? []) {
    const name = key.slice(1) // they begin with a colon
    add(name, Reflect.getMetadata(modelProperty, prototype, name))
  }
  for (const [name, { type, isArray = type === Array }] of properties) {
    const typed = transformer?.findTypeMetadata(dto, name)
    if (typed !== undefined && emptyTypes.has(type))
      add(name, { type: typed.typeFunction(), isArray })
  }
  return properties
}

/** Loads a package that the app may have, or an empty one. */
function optional(name: string): any {
  try {
    return createRequire(import.meta.url)(name)
  } catch {
    return {}
  }
}

/**
 * Returns the class of a schema's values, for pipes and documents: the declared one. For a schema
 * that a change rebuilt, it's a subclass, whose changed properties have the older types.
 */
export function classOf(schema: Schema): Type | undefined {
  const metatype = Reflect.getMetadata(kClass, Object(schema))
  if (metatype || !isDtoSchema(schema)) return metatype
  const { $comment: base, properties } = schema
  const newer = Reflect.getOwnMetadata(kSchema, base) as DtoSchema
  if (newer === schema) return base
  const rebuilt = { [base.name]: class extends base {} }[base.name]!
  Reflect.defineMetadata(kClass, rebuilt, schema)
  const { prototype } = rebuilt
  const models = new Set(modelsOf(base))
  for (const [name, property] of Object.entries(properties)) {
    if (property === newer.properties[name]) continue
    const declared = Reflect.getMetadata(modelProperty, prototype, name)
    const description = describeProperty(property, models)
    const older = { ...declared, type: Object, isArray: false, ...description }
    Reflect.defineMetadata(modelProperty, older, prototype, name)
    if (description.type)
      optional('class-transformer').Type?.(() => description.type)(prototype, name)
  }
  Reflect.defineMetadata(modelsKey, [...models], rebuilt)
  return rebuilt
}

/** Describes a property's schema as `@ApiProperty()` does. */
function describeProperty(schema: Schema, models: Set<Type>): Declared {
  const { anyOf, items = schema } = schema as any
  const type = classOf(items)
  if (type) return { type, isArray: items !== schema }
  if (anyOf?.length === 2 && anyOf[1].type === 'null')
    return { ...describeProperty(anyOf[0], models), nullable: true }
  return describeSchema(schema, models)
}

/**
 * Describes a schema for documents.
 *
 * @param models - gets the classes to which the description refers by name
 */
export function describeSchema(schema: Schema, models: Set<Type>): JsonSchema {
  const model = classOf(schema)
  if (model) {
    models.add(model)
    return { $ref: pathOf(model) }
  }
  if (isLibrary(schema)) return toJsonSchema(schema, 'output', 'before()')
  return mapSchema(schema as never, (part) => describeSchema(part, models))
}
