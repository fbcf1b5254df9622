import { useEffect, useRef } from 'react'

let hasScrolled = false

/**
 * Scrolls to this element once it renders, if the page's URL ends in its `#id`: on a page that fetches its content, the element does not
 * exist yet when the browser looks for it. Does nothing after a reload or back navigation, or once the person has scrolled.
 * @returns a ref for the element
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
