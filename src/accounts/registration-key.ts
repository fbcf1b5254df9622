import { useRef } from 'react'
import { v7 } from 'uuid'

/**
 * The idempotency key of a registration: the same while email and password are the same. When an answer was lost, the next press of the
 * button gets the account that the first one made instead of "username already exists". A refused registration stores nothing under its key.
 */
export function useRegistrationKey() {
  const last = useRef({ account: '', key: '' })
  return ({ email, password }: { email: string; password: string }) => {
    const account = JSON.stringify([email, password])
    if (last.current.account !== account) last.current = { account, key: v7() }
    return last.current.key
  }
}
