import { useCallback, useRef, useState } from 'react'
import { ApiError } from './api.ts'

/** Programming errors, whose messages are the browser's and mean nothing to a person. */
const isBrowsers = (error: Error) =>
  error instanceof DOMException || ['EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'URIError'].includes(error.name)
/** `fetch` rejects with a TypeError without a connection, and with the others where it was aborted. */
const isOffline = (error: Error) => error instanceof TypeError || ['AbortError', 'NetworkError', 'TimeoutError'].includes(error.name)

/**
 * The sentence for what went wrong. Data that does not load says what its answer says, down to the status text (section 7 of the specification);
 * a command that fails on the server's side says that nothing was lost, since `sendCommand` makes the next try the same command.
 */
export const errorMessage = (error: unknown) => {
  if (error instanceof ApiError && (error.status < 500 || error.isQuery)) return error.message
  if (error instanceof ApiError) return 'The server had a problem, and nothing was lost. Try again in a moment.'
  if (!(error instanceof Error) || !error.message) return 'Something went wrong. Try again.'
  if (isOffline(error)) return 'No connection right now. Nothing was lost; try again when you are back online.'
  return isBrowsers(error) ? 'Something went wrong. Try again.' : error.message
}

/** Commands of this screen, one at a time: `run(() => send('POST …', input))`. Answers whether it went well. */
export function useCommand() {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const flying = useRef(false)

  async function run(act: () => Promise<unknown>): Promise<boolean> {
    if (flying.current) return false
    flying.current = true
    setBusy(true)
    setError(undefined)
    try {
      await act()
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      flying.current = false
      setBusy(false)
    }
  }

  const clear = useCallback(() => setError(undefined), [])
  return { run, busy, error, message: error === undefined ? undefined : errorMessage(error), clear }
}
