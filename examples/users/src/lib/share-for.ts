/**
 * Runs `work` once for all callers: they share the call in flight, and its result for `period` milliseconds more.
 * A failure is not kept.
 */
export function shareFor<T>(period: number, work: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined
  const forget = () => (shared = undefined)
  return () =>
    (shared ??= work().then(
      (result) => {
        setTimeout(forget, period).unref()
        return result
      },
      (error: unknown) => {
        forget()
        throw error
      },
    ))
}
