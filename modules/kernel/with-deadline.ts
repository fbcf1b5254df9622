/**
 * Settles like `work` if that settles within `milliseconds`. The work itself is not stopped; if that matters, the caller must abort it. A
 * result that arrived while this process was busy still counts.
 * @throws what `timeoutError` returns, if `work` takes longer
 */
export function withDeadline<T>(
  milliseconds: number,
  work: Promise<T>,
  timeoutError = () => new Error(`There was no result within ${milliseconds} ms.`),
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => setImmediate(() => reject(timeoutError())), milliseconds)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
