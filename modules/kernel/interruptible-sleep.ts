/** The sleep of a loop between two rounds. A `wake` during a round is not lost: the next sleep ends at once. */
export function interruptibleSleep() {
  let isWoken = false
  let resume = () => {}
  const wake = () => {
    isWoken = true
    resume()
  }
  return {
    wake,
    /** The loop calls this as a round begins, because the round looks at everything that earlier calls of `wake` announced. */
    reset() {
      isWoken = false
    },
    /** Resolves when `wake` is called or after this time. */
    async sleep(milliseconds: number) {
      if (isWoken) return
      const timer = setTimeout(() => resume(), milliseconds)
      await new Promise<void>(resolve => {
        resume = resolve
      })
      clearTimeout(timer)
    },
  }
}
