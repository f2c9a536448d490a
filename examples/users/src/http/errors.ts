import type { Problem } from '@hv/router'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { StoreError } from '../store/database.ts'

/** What every refusal and failure looks like; `code` is the HTTP status. */
export interface ErrorBody {
  readonly status: false
  readonly code: number
  readonly message: string
  /** Stable word for programs: `USER_NOT_FOUND`. */
  readonly error: string
  readonly requestId: string
}

/** A refusal with its status and its word. */
export class ApiError extends Error {
  readonly statusCode: number
  readonly error: string
  readonly headers: Readonly<Record<string, string>>

  constructor(statusCode: number, error: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'ApiError'
    this.statusCode = statusCode
    this.error = error
    this.headers = headers
  }
}

export const badRequest = (message: string) => new ApiError(400, 'BAD_REQUEST', message)
export const unauthorized = (message: string) =>
  new ApiError(401, 'UNAUTHORIZED', message, { 'www-authenticate': 'Bearer' })
export const forbidden = (message: string) => new ApiError(403, 'FORBIDDEN', message)
export const tooManyRequests = (seconds: number) =>
  new ApiError(429, 'TOO_MANY_REQUESTS', `too many tries; wait ${seconds} s`, { 'retry-after': String(seconds) })
export const userNotFound = () => new ApiError(404, 'USER_NOT_FOUND', 'user not found')

const words: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'NOT_ACCEPTABLE',
  408: 'TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  431: 'HEADERS_TOO_LARGE',
}

/** Any error as a refusal that may be shown. `expose` lets texts of the database through. */
export function toApiError(error: unknown, expose: boolean): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof StoreError) {
    const text = (plain: string) => (expose && error.databaseText !== null ? `${plain}: ${error.databaseText}` : plain)
    switch (error.reason) {
      case 'duplicate':
        return new ApiError(409, 'USERNAME_TAKEN', text('the username is taken'))
      case 'last-admin':
        return new ApiError(409, 'LAST_ADMIN', 'the last admin stays; make another one first')
      case 'unavailable':
        return new ApiError(503, 'DATABASE_UNAVAILABLE', 'the database is away', { 'retry-after': '5' })
      case 'failed':
        return new ApiError(500, 'DATABASE_ERROR', text('the database refused the operation'))
    }
  }
  const { statusCode = 500, validation, message } = error as FastifyError
  if (validation !== undefined) return badRequest(message)
  if (statusCode >= 400 && statusCode < 500) return new ApiError(statusCode, words[statusCode] ?? 'REFUSED', message)
  return new ApiError(500, 'INTERNAL', 'internal error')
}

export const toBody = ({ statusCode, error, message }: ApiError, requestId: string): ErrorBody => ({
  status: false,
  code: statusCode,
  message,
  error,
  requestId,
})

/** The router's refusals in the shape of the service's own. */
export function replaceProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): object {
  reply.type('application/json; charset=utf-8')
  const { status, detail, requested, supported, availableIn, allow } = problem
  const body = toBody(new ApiError(status, words[status] ?? 'REFUSED', detail), request.id)
  return { ...body, requested, supported, availableIn, allow }
}
