import { useRef } from 'react'
import { v7 } from 'uuid'

/**
 * The idempotency key of a registration, constant while email and password stay the same. If a response was lost, pressing the button again
 * returns the account created the first time instead of "username already exists". A refused registration stores nothing under its key.
 */
export function useRegistrationIdempotencyKey() {
  const last = useRef({ account: '', key: '' })
  return ({ email, password }: { email: string; password: string }) => {
    const account = JSON.stringify([email, password])
    if (last.current.account !== account) last.current = { account, key: v7() }
    return last.current.key
  }
}
