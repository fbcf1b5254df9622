import { ApiError } from './api.ts'

/**
 * Makes a request. After a 503 with a `Retry-After` header, it waits that long and retries, up to twice. Use it for idempotent requests
 * only.
 */
export async function retryWhenBusy<T>(send: () => Promise<T>): Promise<T> {
  for (let retriesLeft = 2; ; retriesLeft--) {
    try {
      return await send()
    } catch (error) {
      const seconds = error instanceof ApiError && error.retryAfterSeconds
      if (!seconds || !retriesLeft) throw error
      await new Promise(resolve => setTimeout(resolve, seconds * 1000))
    }
  }
}
