/**
 * Aborts a request after `timeoutMs`. Without a limit, browsers wait for up to a quarter of an hour after a connection has died silently.
 * @throws DOMException AbortError after the timeout
 */
export async function sendWithTimeout<T>(timeoutMs: number, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  try {
    return await send(timeout.signal)
  } finally {
    clearTimeout(timer)
  }
}
