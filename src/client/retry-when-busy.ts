import { ApiError } from './api.ts'

/** Makes a request, and after a 503 twice more, each after its `Retry-After`. Only for idempotent requests. */
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
