import { pointerTo, stepsOf } from '../changes/json-pointer.ts'
import { type RequestPart, type RequestStep, rejectedAfter, requestParts } from '../changes/plan.ts'
import { translationOf } from '../changes/translation.ts'
import type { Row } from '../compile/route.ts'
import { RouterError, invalidOption } from '../errors.ts'
import type { ActionSchema, Schema } from '../types/schema.ts'
import type { BoundAction } from './bind-actions.ts'
import type { Problem } from './problem.ts'

/** The property of a request that contains a part. */
export const propertyOf = {
  params: 'params',
  querystring: 'query',
  headers: 'headers',
  body: 'body',
} as const

/** The properties of {@link ActionSchema}. */
const schemaProperties = (
  'params querystring headers body response responseHeaders summary description tags operationId deprecated security ' +
  'externalDocs hide consumes'
).split(' ')

/** One reason why a value does not match its schema. Standard Schema has the same shape. */
export interface Issue {
  readonly message: string
  /** From the part down to the value: `['user', 'tags', 0]`. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The value, with defaults and conversions applied, or the issues. */
export type Validated =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

/** Validates one value. */
export type Validate = (value: unknown) => Validated | Promise<Validated>

/** Compiles a JSON Schema, once, when the app starts. See {@link ajvValidator}. */
export type Validator = (schema: object, part: RequestPart) => Validate

/** The option of adapters that validate requests themselves. */
export interface ValidatorOptions {
  /**
   * Validates JSON Schemas: `ajvValidator(new Ajv())`. It is required if an action has one. Schemas of zod, ArkType and
   * Valibot validate themselves. `false` turns validation off for all schemas.
   */
  readonly validator?: Validator | false
}

// Limits for hostile bodies, such as a list of 50,000 wrong values, 50,000 unknown keys that one issue names, or a key of
// 1 MB above a hundred wrong values.
const maxIssues = 100
const maxDepth = 50
const maxIssuesInMessage = 5
const maxIssueLength = 200

const brand = Symbol.for('@hv/router.ValidationError')

/** A request does not match its action's schema. Express sends the status, and outside production the message. */
export class ValidationError extends Error {
  /** Compares a brand, so that the ES module and CommonJS copies of this package recognize each other's errors. */
  static override [Symbol.hasInstance](value: unknown): value is ValidationError {
    return typeof value === 'object' && value !== null && brand in value
  }

  override readonly name = 'ValidationError'
  readonly status = 400
  readonly statusCode = 400
  readonly expose = true
  readonly part: RequestPart
  /** At most 100. A message has at most 200 characters, and a path at most 50 plain keys of at most 200 characters. */
  readonly issues: readonly { readonly message: string; readonly path: readonly PropertyKey[] }[]

  constructor(part: RequestPart, issues: readonly Issue[]) {
    const kept = issues
      .slice(0, maxIssues)
      .map((issue) => ({ message: shortened(issue.message), path: keysOf(issue) }))
    const shown = kept
      .slice(0, maxIssuesInMessage)
      .map(({ path, message }) =>
        shortened(`${[propertyOf[part], ...path.map(String)].join('/')} ${message}`),
      ) // body/user/0
    const rest = issues.length - shown.length
    super(shown.join(', ') + (rest > 0 ? `, and ${rest} more` : ''))
    // Not a declared property: its type would keep the errors of two copies apart.
    Object.defineProperty(this, brand, { value: true })
    this.part = part
    this.issues = kept
  }

  /** The problem document that tells the client. */
  get problem(): Problem {
    return {
      type: 'urn:hv-router:invalid-request',
      title: 'Invalid request',
      status: this.status,
      detail: this.message,
      part: propertyOf[this.part],
      issues: this.issues.map(({ path, message }) => ({ pointer: pointerTo(path), message })),
    }
  }
}

const shortened = (text: string): string =>
  text.length > maxIssueLength ? `${text.slice(0, maxIssueLength - 1)}…` : text

/**
 * Valibot's path items also hold the values of the request, such as a password. ArkType's path is an array of its own
 * class, whose `map()` returns `[0]` for an empty path.
 */
const keysOf = ({ path }: Issue): readonly PropertyKey[] =>
  Array.from(path ?? [])
    .slice(0, maxDepth)
    .map((step) => (typeof step === 'object' ? step.key : step))
    .map((key) => (typeof key === 'string' ? shortened(key) : key))

/** The parts of a request that an action validates, in order. */
export type Validation = readonly (readonly [part: RequestPart, validate: Validate])[]

/**
 * Prepares the validation of an action, and the conversions of one that `before` has made. A schema of zod, ArkType or
 * Valibot validates itself; a JSON Schema needs the validator of the app.
 *
 * @param row - a row of the action, for the text of errors
 * @param options - the options of the action
 * @param validator - `false` validates nothing
 * @returns an empty list for an action without schemas
 * @throws RouterError HV_NO_VALIDATOR for a JSON Schema without a validator; HV_INVALID_SCHEMA for one
 *   that the validator rejects; HV_OPTION for a schema that would not be validated
 */
export function createValidation(
  { version, controller, action }: Row,
  options: BoundAction['options'],
  validator: Validator | false | undefined,
): Validation {
  const schema = options['schema'] as ActionSchema | undefined
  if (schema === undefined) return []
  const { request } = translationOf(options)
  const where = `version ${version}: ${controller}#${action}`
  if (validator !== false) assertProperties(schema, where)
  return requestParts.flatMap((part) => {
    const steps = request[part] ?? []
    if (validator === false ? steps.length === 0 : !(part in schema)) return []
    const compile = (own: Schema | undefined): Validate =>
      compileSchema(own, part, where, validator)
    const compiled = steps.map((step) => ({ ...step, validate: compile(step.schema) }))
    return [[part, convertWith(compile(schema[part]), compiled)] as const]
  })
}

/** Validates the value of an older request, and again after each conversion, as if its client had sent it to that version. */
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
        const messages = newer.issues.map((issue) =>
          rejectedAfter(step.about, keysOf(issue), issue.message),
        )
        return { issues: messages.map((message) => ({ message })) }
      }
      value = newer.value
    }
    return { value }
  }
}

/** A misspelled part, such as `query`, would never be validated. Properties that start with `x-` belong to the app. */
function assertProperties(schema: ActionSchema, where: string): void {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw invalidOption(where, 'schema', 'an object', schema)
  for (const option of Object.keys(schema))
    if (!schemaProperties.includes(option) && !option.startsWith('x-'))
      throw new RouterError('HV_OPTION', {
        where: `${where}: schema`,
        option,
        known: schemaProperties,
      })
}

/**
 * Validates one part of a request.
 *
 * @param part - the part, and the function that validates it
 * @param value - the value of the part
 * @returns the value to replace it with
 * @throws ValidationError
 */
export async function validatePart(
  [part, validate]: Validation[number],
  value: unknown,
): Promise<unknown> {
  const validated = await validateWithinStack(validate, value)
  if (validated.issues !== undefined) throw new ValidationError(part, validated.issues)
  return validated.value
}

/** A recursive schema overflows the stack on a value that is nested thousands of levels deep. */
async function validateWithinStack(validate: Validate, value: unknown): Promise<Validated> {
  try {
    return await validate(value)
  } catch (error) {
    if (error instanceof RangeError && /call stack/i.test(error.message))
      return { issues: [{ message: 'is nested too deeply' }] }
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
  if (typeof schema !== 'boolean' && !isJsonSchema(schema))
    throw invalidOption(
      where,
      `schema.${part}`,
      'one JSON Schema, or a schema that validates itself',
      schema,
    )
  if (validator === undefined) throw new RouterError('HV_NO_VALIDATOR', { where, part })
  const object = schema === true ? {} : schema === false ? { not: {} } : schema
  try {
    return validator(object, part)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new RouterError('HV_INVALID_SCHEMA', { where, part, reason }, { cause: error })
  }
}

/**
 * Rejects what would validate nothing: undefined, which a circular import may produce; one schema per media type,
 * `{ content: { … } }`, which only Fastify has; and a Standard JSON Schema that cannot validate.
 */
const isJsonSchema = (schema: object | undefined): schema is object =>
  typeof schema === 'object' &&
  schema !== null &&
  !('content' in schema) &&
  !('~standard' in schema)

/** The part of Ajv that {@link ajvValidator} uses. */
interface AjvLike {
  compile(schema: object): ((value: unknown) => unknown) & { readonly errors?: AjvErrors }
}
type AjvErrors =
  | readonly { readonly instancePath: string; readonly message?: string | undefined }[]
  | null
  | undefined

/**
 * Validates JSON Schemas with the app's own Ajv, and so with its options, formats and keywords.
 *
 * @example createRouter(routes, controllers, { validator: ajvValidator(new Ajv()) })
 */
export const ajvValidator =
  (ajv: AjvLike): Validator =>
  (schema) => {
    const validate = ajv.compile(schema)
    return async (value) => {
      const result = validate(value)
      if (result === false) return { issues: issuesOf(validate.errors) }
      try {
        await result // with `$async`, a promise that rejects with the errors
        return { value }
      } catch (error) {
        const { errors } = (error ?? {}) as { readonly errors?: AjvErrors }
        if (!Array.isArray(errors)) throw error
        return { issues: issuesOf(errors) }
      }
    }
  }

/** The errors of Ajv as issues. */
export const issuesOf = (errors: AjvErrors): readonly Issue[] =>
  (errors ?? []).map(({ instancePath, message = 'is invalid' }) => ({
    message,
    path: stepsOf(instancePath),
  }))
