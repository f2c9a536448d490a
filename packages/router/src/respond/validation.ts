import type { Row } from '../compile/route.ts'
import { RouterError } from '../errors.ts'
import type { ActionSchema, Schema } from '../types/schema.ts'

/** A part of a request that a schema describes. */
export type RequestPart = 'params' | 'querystring' | 'headers' | 'body'
const parts: readonly RequestPart[] = ['params', 'querystring', 'headers', 'body']

/** One reason why a value does not match its schema. Standard Schema has the same shape. */
export interface Issue {
  readonly message: string
  /** From the part down to the value: `['user', 'tags', 0]`. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The value, with defaults and conversions applied, or the issues. */
export type Validated = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly Issue[] }

export type Validate = (value: unknown) => Validated | Promise<Validated>

/** Compiles a JSON Schema, once, when the app starts. See {@link ajvValidator}. */
export type Validator = (schema: object, part: RequestPart) => Validate

// Limits for hostile bodies, such as a list of 50,000 wrong values, or 50,000 unknown keys that one issue names.
const maxIssues = 100
const maxIssuesInMessage = 5
const maxIssueLength = 200

/** The response to a request that does not match the schema of its action. Express sends the status and the message. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError'
  readonly status = 400
  readonly statusCode = 400
  readonly expose = true
  readonly part: RequestPart
  /** At most 100, each with a message of at most 200 characters. */
  readonly issues: readonly Issue[]

  constructor(part: RequestPart, issues: readonly Issue[]) {
    const shown = issues
      .slice(0, maxIssuesInMessage)
      .map((issue) => shortened(`${pointerOf(part, issue)} ${issue.message}`))
    const rest = issues.length - shown.length
    super(shown.join(', ') + (rest > 0 ? `, and ${rest} more` : ''))
    this.part = part
    this.issues = issues.slice(0, maxIssues).map(({ message, path = [] }) => ({ message: shortened(message), path }))
  }
}

const shortened = (text: string): string =>
  text.length > maxIssueLength ? `${text.slice(0, maxIssueLength - 1)}…` : text

/** `body/user/tags/0` */
const pointerOf = (part: RequestPart, { path = [] }: Issue): string =>
  [part, ...path.map((step) => String(typeof step === 'object' ? step.key : step))].join('/')

/** The parts of a request that an action validates, in order. */
export type Validation = readonly (readonly [part: RequestPart, validate: Validate])[]

/**
 * Prepares the validation of an action. A schema of zod, ArkType or Valibot validates itself; a JSON Schema needs the
 * validator of the app.
 *
 * @param validator - `false` validates nothing
 * @returns an empty list for an action without schemas
 * @throws RouterError HV_NO_VALIDATOR for a JSON Schema without a validator
 */
export function createValidation(
  { version, controller, action }: Row,
  schema: ActionSchema | undefined,
  validator: Validator | false | undefined,
): Validation {
  if (schema === undefined || validator === false) return []
  return parts.flatMap((part) => {
    const own = schema[part]
    if (own === undefined) return []
    const where = `version ${version}: ${controller}#${action}`
    return [[part, standardValidate(own) ?? jsonSchemaValidate(own, part, where, validator)] as const]
  })
}

/**
 * Validates one part of a request.
 *
 * @returns the value to replace it with
 * @throws ValidationError
 */
export async function validatePart([part, validate]: Validation[number], value: unknown): Promise<unknown> {
  const validated = await validateWithinStack(validate, value)
  if (validated.issues !== undefined) throw new ValidationError(part, validated.issues)
  return validated.value
}

/** A recursive schema overflows the stack on a value that is nested thousands of levels deep. */
async function validateWithinStack(validate: Validate, value: unknown): Promise<Validated> {
  try {
    return await validate(value)
  } catch (error) {
    if (error instanceof RangeError) return { issues: [{ message: 'is nested too deeply' }] }
    throw error
  }
}

const standardValidate = (schema: Schema): Validate | undefined => {
  const standard = (schema as { readonly '~standard'?: { readonly validate?: Validate } })['~standard']
  return standard?.validate && ((value) => standard.validate!(value))
}

function jsonSchemaValidate(
  schema: Schema,
  part: RequestPart,
  where: string,
  validator: Validator | undefined,
): Validate {
  if (validator === undefined) throw new RouterError('HV_NO_VALIDATOR', { where, part })
  const object = schema === true ? {} : schema === false ? { not: {} } : schema
  return validator(object, part)
}

/** The part of Ajv that {@link ajvValidator} uses. */
interface AjvLike {
  compile(schema: object): {
    (value: unknown): unknown
    readonly errors?:
      | readonly { readonly instancePath: string; readonly message?: string | undefined }[]
      | null
      | undefined
  }
}

/**
 * Validates JSON Schemas with the app's own Ajv, and so with its options, formats and keywords.
 *
 * @example createRouter(routes, controllers, { validator: ajvValidator(new Ajv()) })
 */
export const ajvValidator =
  (ajv: AjvLike): Validator =>
  (schema) => {
    const validate = ajv.compile(schema)
    return (value) => {
      if (validate(value) === true) return { value }
      const issues = (validate.errors ?? []).map(({ instancePath, message = 'is invalid' }) => ({
        message,
        path: instancePath.split('/').slice(1).map(decodePointer),
      }))
      return { issues }
    }
  }

const decodePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')
