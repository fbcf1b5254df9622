/** What a loop sleeps on between two rounds. A call that comes while a round is under way is not lost: the next sleep ends at once. */
export function wakeUp() {
  let isCalled = false
  let resume = () => {}
  const wake = () => {
    isCalled = true
    resume()
  }
  return {
    wake,
    /** To be called at the beginning of a round: whatever woke the loop until now is looked at in it. */
    reset() {
      isCalled = false
    },
    /** Until somebody calls or the time is over. */
    async sleep(milliseconds: number) {
      if (isCalled) return
      const timer = setTimeout(() => resume(), milliseconds)
      await new Promise<void>(resolve => {
        resume = resolve
      })
      clearTimeout(timer)
    },
  }
}
