/** Turns for work of which no more than `atOnce` is done at the same time; whoever comes later waits, in the order of their coming. */
export function concurrencyLimit(atOnce: number) {
  let free = atOnce
  const queue: (() => void)[] = []
  return {
    /** How many wait. */
    waiting: () => queue.length,
    async take<T>(work: () => Promise<T>): Promise<T> {
      if (free > 0) free--
      else await new Promise<void>(next => queue.push(next))
      try {
        return await work()
      } finally {
        const next = queue.shift()
        if (next) next()
        else free++
      }
    },
  }
}
