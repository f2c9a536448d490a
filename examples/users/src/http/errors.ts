import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Problem } from '@hv/router'
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../lib/network.ts'
import { StoreError } from '../store/database.ts'
import { commonHeaders } from './common-headers.ts'
import { logRequest, whenEnded } from './request-log.ts'
import { hasOpenRequest } from './server.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request was refused, for the log and the metrics. */
    refusal: Refusal | null
  }
}

interface Refusal {
  /** The response's `error`: `USER_NOT_FOUND`. */
  readonly error: string
  /** The retired version that the request asked for. */
  readonly version?: number | undefined
}

/** An error that a client may see. */
export class ApiError extends Error {
  readonly statusCode: number
  /** An identifier that programs can rely on: `USER_NOT_FOUND`. */
  readonly error: string
  readonly headers: Readonly<Record<string, string>>

  constructor(
    statusCode: number,
    error: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
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
export const passwordChangeRequired = () =>
  new ApiError(
    403,
    'password_change_required',
    'choose a password first: PUT /users/<your id> with currentPassword and a different password',
  )
export const tooManyRequests = (seconds: number) =>
  new ApiError(429, 'TOO_MANY_REQUESTS', `too many attempts; wait ${seconds} s`, {
    'retry-after': String(seconds),
  })
export const usernameTaken = (message = 'the username is taken') =>
  new ApiError(409, 'USERNAME_TAKEN', message)
export const userNotFound = () => new ApiError(404, 'USER_NOT_FOUND', 'user not found')

const identifiers: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'NOT_ACCEPTABLE',
  408: 'TIMEOUT',
  410: 'GONE',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  431: 'HEADERS_TOO_LARGE',
}
const errorOf = (status: number, message: string) =>
  new ApiError(status, identifiers[status] ?? 'REFUSED', message)

/**
 * Turns any error into one that a client may see.
 *
 * @param expose whether clients may see the database's messages
 */
export function toApiError(error: unknown, expose: boolean): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof StoreError) return fromStoreError(error, expose)
  const { statusCode = 500, validation, message } = error as FastifyError
  if (validation !== undefined) return badRequest(message)
  if (statusCode >= 400 && statusCode < 500) return errorOf(statusCode, message)
  return new ApiError(500, 'INTERNAL', 'internal error')
}

function fromStoreError({ reason, databaseText }: StoreError, expose: boolean): ApiError {
  const detailed = (message: string) =>
    expose && databaseText !== null ? `${message}: ${databaseText}` : message
  switch (reason) {
    case 'duplicate':
      return usernameTaken(detailed('the username is taken'))
    case 'last-admin':
      return new ApiError(
        409,
        'LAST_ADMIN',
        'the last admin cannot be removed; create another one first',
      )
    case 'unavailable':
      return new ApiError(503, 'DATABASE_UNAVAILABLE', 'the database is unavailable', {
        'retry-after': '5',
      })
    case 'failed':
      return new ApiError(500, 'DATABASE_ERROR', detailed('the database refused the operation'))
  }
}

const toBody = ({ statusCode, error, message }: ApiError, requestId: string) => ({
  status: false,
  code: statusCode,
  message,
  error,
  requestId,
})

export function sendError(error: ApiError, request: FastifyRequest, reply: FastifyReply): void {
  request.refusal = error
  reply
    .code(error.statusCode)
    .headers(error.headers)
    .type('application/json; charset=utf-8')
    .send(toBody(error, request.id))
}

/**
 * Sends Fastify's own errors. No hooks run before those, so they get the common headers and the
 * rate limit here.
 */
export async function sendFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  whenEnded(request, reply, logRequest)
  reply.headers(commonHeaders(request.id))
  const { server } = request
  try {
    if (server.hasDecorator('rateLimit')) await server.rateLimit().call(server, request, reply)
    sendError(toApiError(error, false), request, reply)
  } catch (limited) {
    sendError(toApiError(limited, false), request, reply)
  }
}

const socketErrors: Readonly<Record<string, ApiError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: errorOf(408, 'the request took too long'),
  HPE_HEADER_OVERFLOW: errorOf(431, 'the headers are too large'),
}

/**
 * A `clientErrorHandler`. What arrived isn't a request, so there's no reply object and we write the
 * response ourselves.
 */
export function refuseConnection(
  error: Error & { code?: string },
  socket: Socket,
  log: FastifyBaseLogger,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const shown = socketErrors[error.code ?? ''] ?? badRequest('the request is malformed')
  if (socket.writable) {
    const requestId = randomUUID()
    const network = networkOf(socket.remoteAddress ?? '')
    if (!hasOpenRequest(socket))
      log.info(
        { route: 'none', status: shown.statusCode, network, reqId: requestId },
        shown.message,
      )
    const body = JSON.stringify(toBody(shown, requestId))
    const headers = {
      ...commonHeaders(requestId),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(
      `HTTP/1.1 ${shown.statusCode} ${STATUS_CODES[shown.statusCode]}\r\n${lines.join('')}\r\n${body}`,
    )
  }
  // The log line of a request that's cut off takes its status from there. After an early end, its
  // client has left.
  socket.destroy(error.code === 'HPE_INVALID_EOF_STATE' ? error : shown)
}

/** Gives the router's problem documents the shape that all other errors have. */
export function replaceProblem(
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
): object {
  reply.type('application/json; charset=utf-8')
  const { status, detail, requested, supported, availableIn, allow, retired } = problem
  const error = errorOf(status, detail)
  // Without a version, the client asked for the default one, which is the first to retire.
  const version = retired?.find((number) => requested?.includes(number) ?? true)
  request.refusal = { error: error.error, version: status === 410 ? version : undefined }
  return {
    ...toBody(error, request.id),
    requested,
    supported,
    availableIn,
    allow,
  }
}
