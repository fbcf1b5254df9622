import { useRef, useState } from 'react'
import { ApiError } from '../client/api.ts'

/** The sentence for what went wrong. A request that never got through loses nothing: `send` makes the next try the same command. */
export const sentence = (error: unknown) => {
  if (error instanceof ApiError && error.status < 500) return error.message
  if (error instanceof ApiError) return 'The server had a problem, and nothing was lost. Try again in a moment.'
  if (error instanceof TypeError) return 'No connection right now. Nothing was lost; try again when you are back online.'
  return error instanceof Error ? error.message : 'Something went wrong. Try again.'
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

  return { run, busy, error, message: error === undefined ? undefined : sentence(error), clear: () => setError(undefined) }
}
