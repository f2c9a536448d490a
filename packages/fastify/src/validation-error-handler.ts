import { type RequestPart, ValidationError, issuesOf } from '@hv/router/adapter'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * An error handler that sends a problem document if a request doesn't match its route's schema, as
 * the other adapters do. Other errors go to the error handler around this one, which is Fastify's
 * by default.
 *
 * @example app.setErrorHandler(validationErrorHandler)
 */
export function validationErrorHandler(
  error: unknown,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { validation, validationContext = 'body' } = (error ?? {}) as FastifyValidation
  if (!Array.isArray(validation)) return void reply.send(error)
  const { status, problem } = new ValidationError(validationContext, issuesOf(validation))
  // It's sent as text, because the route may have a schema for other responses with this status.
  reply.code(status).type('application/problem+json; charset=utf-8').send(JSON.stringify(problem))
}

/** What Fastify adds to a validator's error. */
interface FastifyValidation {
  readonly validation?: Parameters<typeof issuesOf>[0]
  readonly validationContext?: RequestPart
}
