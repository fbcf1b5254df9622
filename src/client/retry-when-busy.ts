import { ApiError } from './api.ts'

/** Asks, and asks a server that is too busy twice more, when it wants to be asked. Only for what is done once however often it is asked. */
export async function retryWhenBusy<T>(ask: () => Promise<T>): Promise<T> {
  for (let left = 2; ; left--) {
    try {
      return await ask()
    } catch (error) {
      const seconds = error instanceof ApiError && error.retryAfterSeconds
      if (!seconds || !left) throw error
      await new Promise(resolve => setTimeout(resolve, seconds * 1000))
    }
  }
}
