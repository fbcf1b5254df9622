/**
 * The outcome of `work`, if it is there within `milliseconds`. The work itself goes on; whoever starts it aborts it where that matters.
 * An answer that came while this process was busy still counts. @throws Error after that time, or what `late` makes
 */
export function withDeadline<T>(
  milliseconds: number,
  work: Promise<T>,
  late = () => new Error(`It was not there within ${milliseconds} ms.`),
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => setImmediate(() => reject(late())), milliseconds)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
