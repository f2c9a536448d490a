import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Guard,
  type SentText,
  type Translation,
  changeOfText,
  convertText,
  finishHead,
  guardBody,
  newerStatusOf,
  prepareForError,
  translationOf,
  unconvertible,
} from '@hv/router/adapter'
import { isBodiless } from '@hv/router/internal'
import type {
  FastifyReply,
  RouteOptions,
  onSendHookHandler,
  preHandlerHookHandler,
  preSerializationHookHandler,
} from 'fastify'
import { isFailure } from './convert-requests.ts'
import { isResponse } from './respond.ts'

const errors = new AsyncLocalStorage<object>()

/**
 * Returns the hooks of an action that `before` has derived. The serializer has the older schema.
 */
export function translationHooks(
  options: Readonly<Record<string, unknown>>,
): Partial<RouteOptions> {
  const translation = translationOf(options)
  const { request, respond, changesBodies, changesHeads } = translation
  const convertsResponses = changesBodies || changesHeads
  if (!convertsResponses && Object.keys(request).length === 0) return {}
  const guards = new WeakMap<FastifyReply, Guard>()

  function guardOf(reply: FastifyReply): Guard {
    const { raw, log } = reply
    const fail = (error: Error) => {
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
    done(validationError && isFailure(validationError) ? validationError : undefined)
  }
  const convertValue: preSerializationHookHandler = (_request, reply, payload, done) => {
    const set = (name: string, value: string) => void reply.header(name, value)
    const newer = reply.statusCode
    const older = respond(newer, payload, set)
    if (older.status !== newer) reply.code(older.status)
    // The serializer of '2xx' would refuse a body that isn't sent, and so isn't converted.
    if (isBodiless(newer) || isBodiless(older.status)) reply.serializer(JSON.stringify)
    guardOf(reply).converted = { newer, older: older.status }
    done(null, older.body)
  }
  const convertSent: onSendHookHandler = ({ method }, reply, payload, done) => {
    const guard = guardOf(reply)
    if (isResponse(payload) && payload.bodyUsed) return done(null, payload) // Fastify's own error
    const sent = isResponse(payload) ? unpack(payload, reply) : payload
    const headers = {
      get: (name: string) => reply.getHeader(name),
      set: (name: string, value: string) => void reply.header(name, value),
      delete: (name: string) => void reply.removeHeader(name),
    }
    const newer = newerStatusOf(guard, reply.statusCode)
    let older = { status: reply.statusCode, body: sent }
    try {
      if (guard.converted === null) older = convertPayload(translation, { ...older, headers })
    } catch (error) {
      discard(sent)
      prepareForError(headers)
      return done(error as Error)
    }
    if (guard.state === 'open') guard.state = 'sent'
    if (older.status !== reply.statusCode) reply.code(older.status)
    const hasBody = finishHead(translation, newer, older.status, headers)
    if (!hasBody) discard(sent)
    // Fastify's own hook for HEAD measures the body, so it can't be null.
    done(null, (hasBody ? older.body : null) ?? (method === 'HEAD' ? '' : null))
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
  const { status, headers } = sent
  const about = changeOfText(translation, status, headers.get('content-type'))
  if (about !== null) throw unconvertible(about, 'a stream')
  return { status: translation.statusOf(status), body }
}

/**
 * Gives the reply a `Response`'s status and headers, which Fastify itself only does after all hooks.
 *
 * @returns the body
 */
function unpack({ status, headers, body }: Response, reply: FastifyReply): unknown {
  reply.code(status)
  for (const [name, value] of headers) reply.header(name, value)
  return body
}

/** Closes a stream that nobody will read. Its error would otherwise end the process. */
function discard(body: any): void {
  body?.on?.('error', () => {})
  body?.destroy?.()
  body?.cancel?.().catch(() => {})
}
