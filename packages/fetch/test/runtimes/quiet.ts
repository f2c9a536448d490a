/** Keeps the errors of the failing subscriber of the suite out of the output of the tests. */
export function hideSubscriberErrors(): void {
  const { error: log } = console
  console.error = (...logged: unknown[]) => {
    if ((logged[0] as Error | undefined)?.message !== 'subscriber failed') log(...logged)
  }
}
