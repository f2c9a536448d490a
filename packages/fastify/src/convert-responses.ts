import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Guard,
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
  const { request, respond, head } = translation
  const convertsResponses = (respond ?? head) !== null
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
  stream?.on?.('error', () => {})
  stream?.destroy?.()
  stream?.cancel?.().catch(() => {})
  throw unconvertible(about, 'a stream')
}
