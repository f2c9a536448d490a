import { isObject } from '../objects.ts'
import { type RequestPart, type RequestStep, rejectedAfter, requestParts } from '../changes/plan.ts'
import { translationOf } from '../changes/translation.ts'
import type { Row } from '../compile/route.ts'
import { RouterError, assertKnown, invalidOption } from '../errors.ts'
import type { ActionSchema, Schema } from '../types/schema.ts'
import { type BoundAction, placeOf } from './bind-actions.ts'
import { type Issue, ValidationError, keysOf } from './validation-error.ts'

/** The properties of {@link ActionSchema}. */
const schemaProperties =
  'params querystring headers body response responseHeaders summary description tags operationId '
    .concat('deprecated security externalDocs hide consumes')
    .split(' ')

/** Either the value, with defaults and conversions applied, or the issues. */
export type Validated =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

/** Validates one part of a request: its params, query, headers or body. */
export type Validate = (value: unknown) => Validated | Promise<Validated>

/** Compiles a JSON Schema. It's called once per schema, at start-up. See {@link ajvValidator}. */
export type Validator = (schema: object, part: RequestPart) => Validate

/** The option of adapters whose framework doesn't validate requests. */
export interface ValidatorOptions {
  /**
   * Validates JSON Schemas: `ajvValidator(new Ajv())`. It's required if an action has one. Schemas
   * from zod, ArkType and Valibot validate themselves. `false` turns off validation for all
   * schemas.
   */
  readonly validator?: Validator | false
}

/** The request parts that an action validates, in this order. */
export type Validation = readonly (readonly [part: RequestPart, validate: Validate])[]

/**
 * Prepares an action's validation and, if `before` has derived the action, the conversions of older
 * requests. Schemas from zod, ArkType and Valibot validate themselves, while a JSON Schema needs
 * the app's validator.
 *
 * @param row - one of the action's rows, for error messages
 * @param options - the action's options
 * @param validator - `false` validates nothing
 * @returns an empty list if the action has no schemas
 * @throws RouterError HV_NO_VALIDATOR for a JSON Schema without a validator; HV_INVALID_SCHEMA for
 *   a schema that the validator rejects; HV_OPTION for a schema that nothing would validate
 */
export function createValidation(
  row: Row,
  options: BoundAction['options'],
  validator: Validator | false | undefined,
): Validation {
  const schema = options['schema'] as ActionSchema | undefined
  if (schema === undefined) return []
  const { request } = translationOf(options)
  const where = placeOf(row)
  if (validator !== false) assertProperties(schema, where)
  return requestParts.flatMap((part) => {
    const steps = request[part] ?? []
    if (validator === false ? steps.length === 0 : !(part in schema)) return []
    const compile = (partSchema: Schema | undefined): Validate =>
      compileSchema(partSchema, part, where, validator)
    const compiled = steps.map((step) => ({ ...step, validate: compile(step.schema) }))
    return [[part, convertWith(compile(schema[part]), compiled)] as const]
  })
}

/**
 * Validates an older request's value, and again after each conversion, as if the client had sent it
 * to that version.
 */
function convertWith(
  validate: Validate,
  steps: readonly (RequestStep & { readonly validate: Validate })[],
): Validate {
  if (steps.length === 0) return validate
  return async (sent) => {
    const older = await validate(sent)
    if (older.issues !== undefined) return older
    let { value } = older
    for (const step of steps) {
      const newer = await step.validate(step.convert(value))
      if (newer.issues !== undefined) {
        const issues = newer.issues.map((issue) => ({
          message: rejectedAfter(step.about, keysOf(issue), issue.message),
        }))
        return { issues }
      }
      value = newer.value
    }
    return { value }
  }
}

/**
 * Rejects a misspelled part, such as `query`, because nothing would validate it. Properties that
 * start with `x-` are the app's.
 */
function assertProperties(schema: ActionSchema, where: string): void {
  if (!isObject(schema)) throw invalidOption(where, 'schema', 'an object', schema)
  const properties = Object.entries(schema).filter(([name]) => !name.startsWith('x-'))
  assertKnown(`the schema of ${where}`, Object.fromEntries(properties), schemaProperties)
}

/**
 * Validates a part of a request.
 *
 * @param validation - the part's name, and its validator
 * @param value - what the request has there
 * @returns the value to replace the part's value with
 * @throws ValidationError
 */
export async function validatePart(
  [part, validate]: Validation[number],
  value: unknown,
): Promise<unknown> {
  try {
    const validated = await validate(value)
    if (validated.issues !== undefined) throw new ValidationError(part, validated.issues)
    return validated.value
  } catch (error) {
    // With a recursive schema, a value that's nested thousands of levels deep overflows the stack.
    if (error instanceof RangeError && /call stack/.test(error.message))
      throw new ValidationError(part, [{ message: 'is nested too deeply' }])
    throw error
  }
}

function compileSchema(
  schema: Schema | undefined,
  part: RequestPart,
  where: string,
  validator: Validator | false | undefined,
): Validate {
  if (validator === false) return (value) => ({ value })
  const { '~standard': standard } = (schema ?? {}) as {
    readonly '~standard'?: { readonly validate?: Validate }
  }
  if (standard?.validate) return (value) => standard.validate!(value)
  const object = schema === true ? {} : schema === false ? { not: {} } : schema
  // Nothing would validate undefined, which a circular import can cause, a schema per media type,
  // which only Fastify supports, or a Standard JSON Schema that can't validate.
  if (!isObject(object) || 'content' in object || '~standard' in object)
    throw invalidOption(
      where,
      `schema.${part}`,
      'one JSON Schema, or a schema that validates itself',
      schema,
    )
  if (validator === undefined) throw new RouterError('HV_NO_VALIDATOR', { where, part })
  try {
    return validator(object, part)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new RouterError('HV_INVALID_SCHEMA', { where, part, reason }, { cause: error })
  }
}
