import { ApiError, callApi } from '../client/api.ts'
import { TransferError, type UploadTransport } from './transfer-parts.ts'

/** If no bytes of a request are sent for this long, the request is aborted and sent again. */
const STALL_TIMEOUT_MS = 30_000
const MAX_TRIES_AFTER_SERVER_ERROR = 6

/**
 * PUTs a blob directly to the video store with XMLHttpRequest, because `fetch` does not report upload progress.
 * @param sent called with the bytes sent so far
 * @throws TransferError, AbortError
 */
export function putWithProgress(url: string, body: Blob, sent: (bytes: number) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let stallTimer: ReturnType<typeof setTimeout>
    const restartStallTimer = () => {
      clearTimeout(stallTimer)
      stallTimer = setTimeout(() => request.abort(), STALL_TIMEOUT_MS)
    }
    const stop = () => request.abort()
    const end = (then: () => void) => {
      clearTimeout(stallTimer)
      signal.removeEventListener('abort', stop)
      then()
    }
    request.upload.onprogress = event => {
      restartStallTimer()
      sent(event.loaded)
    }
    request.onload = () =>
      end(() => (request.status >= 200 && request.status < 300 ? resolve() : reject(new TransferError(request.status))))
    request.onerror = () => end(() => reject(new TransferError(0)))
    request.onabort = () => end(() => reject(signal.aborted ? signal.reason : new TransferError(0)))
    signal.addEventListener('abort', stop)
    request.open('PUT', url)
    restartStallTimer()
    request.send(body)
  })
}

/**
 * Waits with exponential backoff and jitter: half a second, doubling up to 20 s, each ±25%. Resolves early when the browser comes online;
 * if it is offline at the start, waits only for that.
 */
export function waitToRetry(attempt: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const wait = Math.min(20_000, 500 * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2)
    const timer = navigator.onLine ? setTimeout(() => end(resolve), wait) : undefined
    const online = () => end(resolve)
    const stop = () => end(() => reject(signal.reason))
    const end = (then: () => void) => {
      clearTimeout(timer)
      window.removeEventListener('online', online)
      signal.removeEventListener('abort', stop)
      then()
    }
    if (signal.aborted) return stop()
    window.addEventListener('online', online)
    signal.addEventListener('abort', stop)
  })
}

/**
 * Makes an API call, and turns a lost connection (TypeError, or TimeoutError if it died silently), a 5xx or a 429 into a retryable
 * `TransferError`; refusals are rethrown unchanged.
 */
export async function withTransferErrors<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') throw new TransferError(0)
    if (error instanceof ApiError && (error.status >= 500 || error.status === 429)) throw new TransferError(error.status)
    throw error
  }
}

/**
 * Retries an API call until the server answers: without limit after a lost connection, but only until the sixth server error.
 * @throws TransferError after the last try, ApiError if the server refuses, AbortError
 */
export async function retryUntilAnswered<T>(request: () => Promise<T>, pause: UploadTransport['pause'], signal: AbortSignal): Promise<T> {
  let serverErrors = 0
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await withTransferErrors(request)
    } catch (error) {
      if (!(error instanceof TransferError) || (error.status !== 0 && ++serverErrors >= MAX_TRIES_AFTER_SERVER_ERROR)) throw error
      await pause(attempt, signal)
    }
  }
}

/** The transport of an upload: our API signs the parts, and they are PUT to the video store. */
export const createUploadTransport = (upload: string, pause: UploadTransport['pause']): UploadTransport => ({
  sign: numbers =>
    withTransferErrors(() => callApi('POST /api/uploads/{upload}/sign', { params: { upload }, body: { numbers } })).then(r => r.parts),
  put: putWithProgress,
  pause,
})
