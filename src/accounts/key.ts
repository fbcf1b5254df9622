import { useRef } from 'react'
import { v7 } from 'uuid'

/**
 * The key of a registration: the same as long as it is about the same account, so that a press whose answer was lost is done once
 * and its repetition lets in. What was refused has left nothing behind and may use it again.
 */
export function useKey() {
  const last = useRef({ account: '', key: '' })
  return ({ email, password }: { email: string; password: string }) => {
    const account = JSON.stringify([email, password])
    if (last.current.account !== account) last.current = { account, key: v7() }
    return last.current.key
  }
}
