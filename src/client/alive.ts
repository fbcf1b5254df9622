import { useEffect, useRef } from 'react'

/** Tells `client:touch` that this island can be acted on; put the ref on an element of it. */
export function useAlive<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  useEffect(() => {
    ref.current?.dispatchEvent(new Event('alive', { bubbles: true }))
  }, [])
  return ref
}
