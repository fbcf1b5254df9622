/** A waiting job. Its keys identify who requested it, for example an account and a network address. */
interface Waiting {
  keys: readonly string[]
  round: number
  start(): void
  refuse(): void
}

/**
 * Creates a round-robin queue that runs at most `atOnce` jobs at a time, so that no client waits for all of another client's jobs. In every
 * round each key has one turn: further jobs with the same key wait for later rounds, and a job with several keys waits for the latest of
 * their turns. Within a round, jobs run in order of arrival. At most `maxWaiting` jobs wait; beyond that, the job that would run last is
 * refused.
 */
export function fairQueue(atOnce: number, maxWaiting: number, overloaded: () => Error) {
  let free = atOnce
  let round = 0
  const queue: Waiting[] = []

  function roundFor(keys: readonly string[]) {
    const before = queue.filter(waiting => waiting.keys.some(key => keys.includes(key))).map(waiting => waiting.round + 1)
    return Math.max(round, ...before)
  }
  /** The waiting job that would run last, or undefined if there is room for another one. */
  function lastOfAll() {
    if (queue.length < maxWaiting) return undefined
    return queue.reduce((last, waiting) => (waiting.round >= last.round ? waiting : last))
  }
  const remove = (waiting: Waiting) => queue.splice(queue.indexOf(waiting), 1)

  function startNext() {
    if (!queue.length) {
      free++
      return
    }
    const next = queue.reduce((first, waiting) => (waiting.round < first.round ? waiting : first))
    remove(next)
    round = next.round
    next.start()
  }

  /** @throws the error from `overloaded` if a job with these keys would be refused now */
  function checkRoom(keys: readonly string[]) {
    const last = lastOfAll()
    if (last && last.round <= roundFor(keys)) throw overloaded()
  }

  function wait(keys: readonly string[]) {
    checkRoom(keys)
    const last = lastOfAll()
    if (last) {
      remove(last)
      last.refuse()
    }
    return new Promise<void>((start, fail) => queue.push({ keys, round: roundFor(keys), start, refuse: () => fail(overloaded()) }))
  }

  return {
    checkRoom,
    /**
     * Runs the work when its turn comes.
     * @throws the error from `overloaded`, immediately or when a job of an earlier round takes this job's place in the full queue
     */
    async take<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
      if (free > 0) free--
      else await wait(keys)
      try {
        return await work()
      } finally {
        startNext()
      }
    },
  }
}
