/**
 * Makes a function that saves one value at a time. Values that are given while one is being saved wait; only the latest of them is saved.
 * The function resolves when nothing waits anymore, or rejects with the error of the last save.
 */
export function createLatestSaver<T>(save: (value: T) => Promise<unknown>): (value: T) => Promise<void> {
  let waiting: { value: T } | undefined
  let saving: Promise<void> | undefined
  async function saveWaiting() {
    try {
      while (waiting) {
        const { value } = waiting
        waiting = undefined
        await save(value).catch(error => {
          if (!waiting) throw error
        })
      }
    } finally {
      saving = undefined
    }
  }
  return value => {
    waiting = { value }
    saving ??= saveWaiting()
    return saving
  }
}
