/**
 * Aborts a request after `most` milliseconds. When a connection dies silently, browsers wait for up to a quarter of an hour.
 * @throws DOMException AbortError after the timeout
 */
export async function withTimeout<T>(most: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), most)
  try {
    return await ask(over.signal)
  } finally {
    clearTimeout(timer)
  }
}
