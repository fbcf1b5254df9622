import { useCallback, useRef, useState } from 'react'
import { ApiError } from './api.ts'

/** Whether the browser wrote an error's message, for example for a programming error, so that it means nothing to a user. */
const isBrowserError = (error: Error) =>
  error instanceof DOMException || ['EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'URIError'].includes(error.name)
/** Without a connection, `fetch` rejects with a TypeError; an aborted request rejects with an error that has one of the other names. */
const isOffline = (error: Error) => error instanceof TypeError || ['AbortError', 'NetworkError', 'TimeoutError'].includes(error.name)

/**
 * The sentence to show for an error. A failed query shows the server's message or the status text (section 7 of the specification). If the
 * server fails on a command, the sentence says that nothing was lost, because the next try sends the same idempotency key.
 */
export const errorMessage = (error: unknown) => {
  if (error instanceof ApiError && (error.status < 500 || error.isQuery)) return error.message
  if (error instanceof ApiError) return 'The server had a problem, and nothing was lost. Try again in a moment.'
  if (!(error instanceof Error) || !error.message) return 'Something went wrong. Try again.'
  if (isOffline(error)) return 'No connection right now. Nothing was lost; try again when you are back online.'
  return isBrowserError(error) ? 'Something went wrong. Try again.' : error.message
}

/**
 * Runs the commands of a screen one at a time: `run(() => sendCommand('POST …', input))`. `run` resolves to whether the command succeeded,
 * and to false without running it if another one is still running.
 */
export function useCommand() {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const isRunning = useRef(false)

  async function run(act: () => Promise<unknown>): Promise<boolean> {
    if (isRunning.current) return false
    isRunning.current = true
    setBusy(true)
    setError(undefined)
    try {
      await act()
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }

  const clear = useCallback(() => setError(undefined), [])
  return { run, busy, error, message: error === undefined ? undefined : errorMessage(error), clear }
}
