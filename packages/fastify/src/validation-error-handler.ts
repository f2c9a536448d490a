import { type RequestPart, ValidationError, issuesOf } from '@hv/router/adapter'
import { isObject } from '@hv/router/internal'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * An error handler that responds with a problem document to requests that don't match the schema of their route, as the other
 * adapters do. Other errors go to the error handler around this one, which is Fastify's own by default.
 *
 * @example app.setErrorHandler(validationErrorHandler)
 */
export function validationErrorHandler(
  error: unknown,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { validation, validationContext = 'body' } = (
    isObject(error) ? error : {}
  ) as FastifyValidation
  if (!Array.isArray(validation)) return void reply.send(error)
  const { status, problem } = new ValidationError(validationContext, issuesOf(validation))
  // As text: the route may have a schema for other responses with this status.
  reply.code(status).type('application/problem+json; charset=utf-8').send(JSON.stringify(problem))
}

/** What Fastify adds to an error of a validator. */
interface FastifyValidation {
  readonly validation?: Parameters<typeof issuesOf>[0]
  readonly validationContext?: RequestPart
}
