type LoggedError = { type: string; message: string; stack: string } & Record<string, unknown>

/** Picks the properties of an error that end up in the log. */
export const serializers = {
  /**
   * A database driver's error can also hold the SQL statement and its parameters. They're left out,
   * because they contain users' data.
   */
  err(error: Error & { code?: string; errno?: number }): LoggedError {
    const { name, message, code, errno, stack = '', cause } = error
    const inner = cause instanceof Error ? { cause: serializers.err(cause) } : {}
    return { type: name, message, code, errno, stack, ...inner }
  },
}
