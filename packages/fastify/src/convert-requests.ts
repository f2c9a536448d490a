import type { RequestStep, Translation } from '@hv/router/adapter'
import { isObject, mapSchema, rejectedAfter, stepsOf } from '@hv/router/internal'
import type { FastifySchemaCompiler } from 'fastify'
import type { HasContent } from './plain-json.ts'

export type Compiler = FastifySchemaCompiler<unknown>
type Validate = ((value: unknown, context?: object) => unknown) & { readonly errors?: unknown }
/** What a validator returns, as Fastify reads it. */
type Validated = { readonly value?: unknown; readonly error?: unknown }
type ValidatedStep = RequestStep & { readonly validate: Validate }

const failures = new WeakSet<object>()
/** Whether an error comes from a conversion that failed, which isn't the client's fault. */
export const isFailure = (error: object): boolean => failures.has(error)

/**
 * Converts an older version's requests where Fastify validates them, so that every `preHandler`
 * hook, including the app's, sees what the newer version expects.
 *
 * @param compile - the route's compiler
 * @param isOwn - whether the action brings this compiler. If so, it gets schemas as they are, as it
 *   would from Fastify
 */
export const convertingCompiler =
  (compile: Compiler, request: Translation['request'], isOwn: boolean): Compiler =>
  (route) => {
    const { httpPart, contentType } = route as typeof route & { readonly contentType?: string }
    const compileWith = (schema: unknown) =>
      compile({
        ...route,
        schema: httpPart === 'headers' && !isOwn ? withLowerCase(schema) : schema,
      }) as Validate
    const validate = compileWith(route.schema)
    const steps = (request[httpPart as keyof typeof request] ?? []).flatMap(
      (step): ValidatedStep[] => {
        const { content } = (step.schema ?? {}) as NonNullable<HasContent>
        const schema = contentType === undefined ? step.schema : content?.[contentType]?.schema
        return schema === undefined ? [] : [{ ...step, validate: compileWith(schema) }]
      },
    )
    return (
      steps.length === 0 ? validate : (sent: unknown) => convert(sent, validate, steps)
    ) as ReturnType<Compiler>
  }

/**
 * Validates an older request's value, and again after each conversion, as if the client had sent it
 * to that version.
 */
function convert(sent: unknown, validate: Validate, steps: readonly ValidatedStep[]): Validated {
  try {
    const older = run(validate, sent)
    if (older.error) return older
    let { value } = older
    for (const step of steps) {
      const newer = run(step.validate, step.convert(value))
      if (newer.error) return { error: refusalAfter(step.about, newer.error) }
      value = newer.value
    }
    if (!value && value !== sent)
      throw new Error(`the change '${steps.at(-1)!.about}' converts a request to ${value}`)
    return { value }
  } catch (error) {
    failures.add(error as Error)
    // Fastify would treat it as the client's error.
    return {
      error: Object.assign(error as Error, {
        statusCode: 500,
        code: 'HV_CHANGE',
        ...(error as Error),
      }),
    }
  }
}

/**
 * Calls a validator as Fastify does. If a value isn't an object, Ajv's validators replace it in the
 * object that contains it.
 */
function run(validate: Validate, value: unknown): Validated {
  const parent = { value }
  const result =
    'schemaEnv' in validate
      ? validate(value, { parentData: parent, parentDataProperty: 'value' })
      : validate(value)
  if (result === false) return { error: validate.errors }
  const { then, error } = (result ?? {}) as { readonly then?: unknown; readonly error?: unknown }
  if (typeof then === 'function') {
    void Promise.allSettled([result]) // handles its rejection, which would end the process
    throw new Error(
      "A schema that validates asynchronously can't be converted. Write a controller.",
    )
  }
  return error ? { error } : isObject(result) && 'value' in result ? result : parent
}

/**
 * Reports the newer schema's errors as errors of the whole part, such as the body, because the
 * client doesn't know the newer fields.
 */
function refusalAfter(about: string, errors: unknown): unknown {
  if (Array.isArray(errors))
    return (errors as { instancePath: string; message?: string }[]).map((issue) => ({
      ...issue,
      instancePath: '',
      message: rejectedAfter(about, stepsOf(issue.instancePath), issue.message ?? 'is invalid'),
    }))
  const message = rejectedAfter(about, [], (errors as Error).message)
  return Object.assign(new Error(message, { cause: errors }), { statusCode: 400 })
}

/**
 * Fastify lowercases header names, except for routes that have a compiler, as those with
 * conversions do.
 */
function withLowerCase(schema: unknown): unknown {
  if (!isObject(schema) || '~standard' in schema) return schema
  const { properties, required } = schema
  return mapSchema(
    {
      ...schema,
      ...(isObject(properties) && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, part]) => [name.toLowerCase(), part]),
        ),
      }),
      ...(Array.isArray(required) && {
        required: required.map((name) => String(name).toLowerCase()),
      }),
    },
    withLowerCase,
  )
}
