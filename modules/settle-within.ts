/**
 * The outcome of `work`, if it is there within `milliseconds`. The work itself goes on; whoever starts it aborts it where that matters.
 * @throws Error after that time
 */
export function settleWithin<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`It was not there within ${milliseconds} ms.`)), milliseconds)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
