type LoggedError = { type: string; message: string; stack: string } & Record<string, unknown>

/** Decides what the log says about errors. */
export const serializers = {
  /** The statement and its parameters are left out, because they contain users' data. */
  err(error: Error & { code?: string; errno?: number }): LoggedError {
    const { name, message, code, errno, stack = '', cause } = error
    const inner = cause instanceof Error ? { cause: serializers.err(cause) } : {}
    return { type: name, message, code, errno, stack, ...inner }
  },
}
