import { useEffect, useRef } from 'react'

let arrived = false

/**
 * Leads whoever came by a link to this part of the page (`#id`) there once it is on the screen: a page that asks for what it shows begins
 * without it. Not where they came back, reloaded, or have scrolled meanwhile.
 */
export function useScrollToHash<E extends HTMLElement>(id: string) {
  const place = useRef<E>(null)
  useEffect(() => {
    if (arrived || location.hash !== `#${id}`) return
    arrived = true
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    if (scrollY < 1 && entry?.type !== 'back_forward' && entry?.type !== 'reload') place.current?.scrollIntoView()
  }, [id])
  return place
}
