/**
 * Gives up a request after so many milliseconds: on a line that is gone without a word a browser waits for a quarter of an hour.
 * @throws DOMException AbortError where it was given up
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
