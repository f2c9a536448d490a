import type { Problem } from '@hv/router'

/** A response with a status other than 2xx. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly status: number
  /** The problem document (RFC 9457), or null when the body is something else. */
  readonly problem: (Problem & Readonly<Record<string, unknown>>) | null
  /** The body: parsed JSON, text, or a Blob. */
  readonly body: unknown
  /** The response, for its headers. Its body has been read. */
  readonly response: Response

  constructor(action: string, response: Response, body: unknown) {
    const isProblem = /^application\/problem\+json\b/i.test(response.headers.get('content-type') ?? '')
    const problem = isProblem && typeof body === 'object' ? (body as ClientError['problem']) : null
    super(`${action}: ${response.status} ${problem?.detail ?? response.statusText}`.trimEnd())
    this.status = response.status
    this.problem = problem
    this.body = body
    this.response = response
  }
}
