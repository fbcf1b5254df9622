import { ApiError } from './api.ts'

/**
 * Makes a request. After a 503 it retries up to twice, each time after the response's `Retry-After`. Use it for idempotent requests only.
 */
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
