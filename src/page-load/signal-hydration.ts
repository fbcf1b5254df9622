import { useEffect, useRef } from 'react'

/**
 * Tells `client:interaction` that this island is hydrated, so that it replays the events that it held back while the island's code loaded.
 * Also hides the notice of `BasePage.astro` that a part of the page did not load. Put the returned ref on an element of the island.
 */
export function useSignalHydration<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  useEffect(() => {
    ref.current?.dispatchEvent(new Event('hydrated', { bubbles: true }))
    document.getElementById('notice')?.setAttribute('hidden', '')
  }, [])
  return ref
}
