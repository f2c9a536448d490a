/**
 * Runs `work` once for all callers. They share the call in flight, and its result for another
 * `period` milliseconds. A failure isn't kept, so the next caller tries again.
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
