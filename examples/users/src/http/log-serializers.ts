import type { FastifyRequest } from 'fastify'

type LoggedError = { type: string; message: string; stack: string } & Record<string, unknown>

/** What the log holds of errors and requests. */
export const serializers = {
  /** Never the statement or its parameters: they may hold values. */
  err(error: Error & { code?: string; errno?: number }): LoggedError {
    const { name, message, code, errno, stack = '', cause } = error
    const inner = cause instanceof Error ? { cause: serializers.err(cause) } : {}
    return { type: name, message, code, errno, stack, ...inner }
  },
  /** Never the query: a client may have put a token there. */
  req: ({ method, url, ip }: FastifyRequest) => ({ method, path: url.split('?')[0], ip }),
}
