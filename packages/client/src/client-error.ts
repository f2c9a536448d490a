import type { Problem } from '@hv/router'
import { typeOf } from './bodies.ts'

/**
 * The server chooses parts of the message, so they could forge a line in a log or send commands to
 * a terminal.
 */
const control = /[\p{Cc}\u2028\u2029]+/gu

const brand = Symbol.for('@hv/router-client.ClientError')

/** A response with a status other than 2xx, or one whose body claims to be JSON and isn't. */
export class ClientError extends Error {
  /**
   * Checks a brand, so that this package's ES module and CommonJS copies recognize each other's
   * errors.
   */
  static override [Symbol.hasInstance](value: unknown): value is ClientError {
    return typeof value === 'object' && value !== null && brand in value
  }

  override readonly name = 'ClientError'
  readonly status: number
  /**
   * The problem document (RFC 9457), or null if the body is something else. A proxy's may lack some
   * members.
   */
  readonly problem: (Partial<Problem> & Readonly<Record<string, unknown>>) | null
  /** The body: parsed JSON, text, or a Blob. */
  readonly body: unknown
  /** The response, for its headers. Its body has been read. */
  readonly response: Response

  constructor(
    action: string,
    response: Response,
    body: unknown,
    options?: { message?: string | undefined; cause?: unknown },
  ) {
    const isProblem = typeOf(response) === 'application/problem+json' && typeof body === 'object'
    const problem = isProblem && !Array.isArray(body) ? (body as ClientError['problem']) : null
    // RFC 9457, section 3.1: ignore a member with the wrong type.
    const detail = typeof problem?.detail === 'string' ? problem.detail : response.statusText
    const message = options?.message ?? detail
    super(`${action}: ${response.status} ${message}`.replace(control, ' ').trimEnd(), options)
    this.status = response.status
    this.problem = problem
    this.body = body
    this.response = response
    Object.defineProperty(this, brand, { value: true })
  }
}

/** An error whose status and body have the types of one response in an action's schema. */
export type ClientErrorOf<Status extends number, Body> = ClientError & {
  readonly status: Status
  readonly body: Body
}
