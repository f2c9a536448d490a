import type { Problem } from '@hv/router'

/** A response with a status other than 2xx, or with a body that is announced as JSON and is not. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly status: number
  /** The problem document (RFC 9457), or null when the body is something else. */
  readonly problem: (Problem & Readonly<Record<string, unknown>>) | null
  /** The body: parsed JSON, text, or a Blob. */
  readonly body: unknown
  /** The response, for its headers. Its body has been read. */
  readonly response: Response

  constructor(action: string, response: Response, body: unknown, options?: { message: string; cause: unknown }) {
    const isProblem = /^application\/problem\+json\b/i.test(response.headers.get('content-type') ?? '')
    const problem = isProblem && typeof body === 'object' ? (body as ClientError['problem']) : null
    const message = options?.message ?? problem?.detail ?? response.statusText
    super(`${action}: ${response.status} ${message}`.trimEnd(), options && { cause: options.cause })
    this.status = response.status
    this.problem = problem
    this.body = body
    this.response = response
  }
}
