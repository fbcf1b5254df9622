import { useRef, useState } from 'react'
import { v7 } from 'uuid'
import { ApiError } from '../client/api.ts'

/** The sentence for what went wrong. A request that never got through loses nothing: its command id is kept for the next try. */
export const sentence = (error: unknown) => {
  if (error instanceof ApiError && error.status < 500) return error.message
  if (error instanceof ApiError) return 'The server had a problem, and nothing was lost. Try again in a moment.'
  if (error instanceof TypeError) return 'No connection right now. Nothing was lost; try again when you are back online.'
  return error instanceof Error ? error.message : 'Something went wrong. Try again.'
}

/** Whether the server understood and said no; otherwise the outcome is not known, and the same command may be sent again. */
const decided = (error: unknown) => error instanceof ApiError && error.status < 500 && error.status !== 429

/**
 * A command sent from this screen: `run(key => call(…, { idempotencyKey: key }))`. One at a time; its id stays the same until the
 * server has decided, so pressing again after a lost answer does nothing twice. Answers whether it went well.
 */
export function useCommand() {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const key = useRef<string>(undefined)
  const flying = useRef(false)

  async function run(act: (idempotencyKey: string) => Promise<unknown>): Promise<boolean> {
    if (flying.current) return false
    flying.current = true
    setBusy(true)
    setError(undefined)
    key.current ??= v7()
    try {
      await act(key.current)
      key.current = undefined
      return true
    } catch (failure) {
      if (decided(failure)) key.current = undefined
      setError(failure)
      return false
    } finally {
      flying.current = false
      setBusy(false)
    }
  }

  return { run, busy, error, message: error === undefined ? undefined : sentence(error), clear: () => setError(undefined) }
}
