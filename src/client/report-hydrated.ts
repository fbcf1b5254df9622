import { useEffect, useRef } from 'react'

/** Tells `client:interaction` that this island can be acted on; put the ref on an element of it. */
export function useReportHydrated<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  useEffect(() => {
    ref.current?.dispatchEvent(new Event('hydrated', { bubbles: true }))
  }, [])
  return ref
}
