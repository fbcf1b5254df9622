import { ApiError, call } from '../client/api.ts'
import { Unsent, type Wire } from './transfer.ts'

/** After this long without a byte a request is given up and sent again. */
const STALLED = 30_000

/** PUTs a blob straight to the video store, telling the bytes that have left. @throws Unsent, AbortError */
export function put(url: string, body: Blob, sent: (bytes: number) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let stalled: ReturnType<typeof setTimeout>
    const alive = () => {
      clearTimeout(stalled)
      stalled = setTimeout(() => request.abort(), STALLED)
    }
    const stop = () => request.abort()
    const end = (then: () => void) => {
      clearTimeout(stalled)
      signal.removeEventListener('abort', stop)
      then()
    }
    request.upload.onprogress = event => {
      alive()
      sent(event.loaded)
    }
    request.onload = () => end(() => (request.status >= 200 && request.status < 300 ? resolve() : reject(new Unsent(request.status))))
    request.onerror = () => end(() => reject(new Unsent(0)))
    request.onabort = () => end(() => reject(signal.aborted ? signal.reason : new Unsent(0)))
    signal.addEventListener('abort', stop)
    request.open('PUT', url)
    alive()
    request.send(body)
  })
}

/** Half a second, then twice as long each time, up to 20 s; at once when the browser is online again. */
export function backOff(attempt: number, signal: AbortSignal): Promise<void> {
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

/** A call of ours as a transfer sees it: no connection and a server in trouble are worth another try, a refusal is not. */
export async function reach<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof TypeError) throw new Unsent(0)
    if (error instanceof ApiError && (error.status >= 500 || error.status === 429)) throw new Unsent(error.status)
    throw error
  }
}

/** The same, tried again until the server has an opinion. */
export async function insist<T>(request: () => Promise<T>, pause: Wire['pause'], signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await reach(request)
    } catch (error) {
      if (!(error instanceof Unsent) || (error.status !== 0 && attempt >= 6)) throw error
      await pause(attempt, signal)
    }
  }
}

/** What a transfer of this upload talks to. */
export const wireOf = (upload: string, pause: Wire['pause']): Wire => ({
  sign: numbers => reach(() => call('POST /api/uploads/{upload}/sign', { params: { upload }, body: { numbers } })).then(r => r.parts),
  put,
  pause,
})
