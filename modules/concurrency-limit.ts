/** Runs at most `atOnce` tasks at a time; later ones wait in order of arrival. */
export function concurrencyLimit(atOnce: number) {
  let free = atOnce
  const queue: (() => void)[] = []
  return {
    waiting: () => queue.length,
    async run<T>(work: () => Promise<T>): Promise<T> {
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
