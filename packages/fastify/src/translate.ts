import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Guard,
  type RequestStep,
  type SentText,
  type Translation,
  changeOfText,
  convertText,
  finishHead,
  guardBody,
  prepareForError,
  translationOf,
  unconvertible,
} from '@hv/router/adapter'
import { isObject, mapSchema, rejectedAfter, stepsOf } from '@hv/router/internal'
import type {
  FastifyReply,
  FastifySchemaCompiler,
  RouteOptions,
  onSendHookHandler,
  preHandlerHookHandler,
  preSerializationHookHandler,
} from 'fastify'
import type { HasContent } from './plain-json.ts'
import { isResponse } from './respond.ts'

export type Compiler = FastifySchemaCompiler<unknown>
type Validate = ((value: unknown, context?: object) => unknown) & { readonly errors?: unknown }
/** What a validator returns, as Fastify reads it. */
type Validated = { readonly value?: unknown; readonly error?: unknown }
type ValidatedStep = RequestStep & { readonly validate: Validate }

/** Errors of failed conversions, which aren't the client's fault. */
const failures = new WeakSet<object>()

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
    then.call(result, noop, noop)
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

const noop = (): void => {}

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

const errors = new AsyncLocalStorage<object>()

/**
 * Returns the hooks of an action that `before` has derived. The serializer has the older schema.
 */
export function translationHooks(
  options: Readonly<Record<string, unknown>>,
): Partial<RouteOptions> {
  const translation = translationOf(options)
  const { request, respond, head } = translation
  const convertsResponses = (respond ?? head) !== null
  if (!convertsResponses && Object.keys(request).length === 0) return {}
  const guards = new WeakMap<FastifyReply, Guard>()

  function guardOf(reply: FastifyReply): Guard {
    const { raw, log } = reply
    const fail = (error: Error): void => {
      if (!reply.sent) return void reply.send(error)
      log.error(error) // the reply is hijacked, so Fastify doesn't respond
      raw.setHeader('content-type', 'text/plain; charset=utf-8')
      raw.end(error.message)
    }
    const guard = guards.get(reply) ?? guardBody(raw, { translation, fail, errors })
    guards.set(reply, guard)
    return guard
  }
  /**
   * Converts what a handler writes to Node's response. With `attachValidation`, the handler
   * responds to validation errors itself, but a failed conversion isn't one.
   */
  const prepare: preHandlerHookHandler = ({ validationError }, reply, done) => {
    if (convertsResponses) guardOf(reply)
    done(validationError && failures.has(validationError) ? validationError : undefined)
  }
  const convertValue: preSerializationHookHandler = (_request, reply, payload, done) => {
    const set = (name: string, value: string) => void reply.header(name, value)
    const older = respond?.(reply.statusCode, payload, set) ?? {
      status: head!.statusOf(reply.statusCode),
      body: payload,
    }
    if (older.status !== reply.statusCode) reply.code(older.status)
    guardOf(reply).isConverted = true
    done(null, older.body)
  }
  const convertSent: onSendHookHandler = (_request, reply, payload, done) => {
    const guard = guardOf(reply)
    const headers = {
      get: (name: string) => reply.getHeader(name),
      set: (name: string, value: string) => void reply.header(name, value),
      remove: (name: string) => void reply.removeHeader(name),
    }
    let older = { status: reply.statusCode, body: payload }
    try {
      if (!guard.isConverted) older = convertPayload(translation, { ...older, headers })
    } catch (error) {
      prepareForError(headers)
      return done(error as Error)
    }
    guard.isConverted = false // the response may still be replaced by an error's
    if (guard.state === 'open') guard.state = 'sent'
    if (older.status !== reply.statusCode) reply.code(older.status)
    done(null, finishHead(translation, older.status, headers) ? older.body : null)
  }
  return {
    preHandler: [prepare, options['preHandler'] ?? []].flat() as never,
    ...(convertsResponses && {
      preSerialization: [options['preSerialization'] ?? [], convertValue].flat() as never,
      onSend: [options['onSend'] ?? [], convertSent].flat() as never,
    }),
  }
}

/**
 * Converts a body that Fastify sends without serializing it.
 *
 * @throws Error for a stream
 */
function convertPayload(
  translation: Translation,
  sent: Omit<SentText, 'body'> & { readonly body: unknown },
): { readonly status: number; readonly body: unknown } {
  const body = sent.body ?? null
  if (body === null || typeof body === 'string' || body instanceof Uint8Array)
    return convertText(translation, { ...sent, body })
  const { status, headers } = isResponse(body) ? body : sent
  const about = changeOfText(translation, status, headers.get('content-type'))
  if (about === null)
    return { status: translation.head?.statusOf(sent.status) ?? sent.status, body }
  // Nobody will read the stream, so its error would end the process.
  const stream: any = isResponse(body) ? body.body : body
  stream?.on?.('error', noop)
  stream?.destroy?.()
  stream?.cancel?.().catch(noop)
  throw unconvertible(about, 'a stream')
}
