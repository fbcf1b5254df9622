/**
 * Returns a function that saves one value at a time. While a save is in progress, the function keeps only the latest value that it
 * receives, and saves it next. Its promise resolves once nothing is left to save, or rejects with the error of the last save.
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
