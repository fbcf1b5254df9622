import { useEffect, useRef } from 'react'

let hasScrolled = false

/**
 * Scrolls to this part of the page once it renders, if the address ends in its `#id`: where a page fetches its content, the part is missing when
 * the browser looks for it. Does nothing after a reload or the back button, or where the person has scrolled already.
 * @returns a ref for the part
 */
export function useScrollToHash<E extends HTMLElement>(id: string) {
  const place = useRef<E>(null)
  useEffect(() => {
    if (hasScrolled || location.hash !== `#${id}`) return
    hasScrolled = true
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    if (scrollY < 1 && entry?.type !== 'back_forward' && entry?.type !== 'reload') place.current?.scrollIntoView()
  }, [id])
  return place
}
