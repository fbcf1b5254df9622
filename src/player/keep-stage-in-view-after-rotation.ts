import { type RefObject, useEffect } from 'react'
import { isTextEntry } from '../ui/shortcut-guards.ts'

/**
 * Keeps a stage in view when a phone is rotated. The notes are below the stage in portrait and next to it in landscape, so the same scroll
 * position shows a different part of the page afterward. Scrolls neither to a stage that was out of view nor away from text that somebody
 * is typing.
 */
export function useKeepStageInViewAfterRotation(stage: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = stage.current
    if (!element) return
    let wasInView = false
    const observer = new IntersectionObserver(([entry]) => (wasInView = entry!.isIntersecting), { threshold: 0.5 })
    observer.observe(element)
    const portrait = matchMedia('(orientation: portrait)')
    // The observer reports at the end of a frame, so in this event handler `wasInView` still describes the layout before the rotation.
    const handleRotation = () => {
      if (!wasInView || isTextEntry(document.activeElement)) return
      const { top, bottom } = element.getBoundingClientRect()
      if (top < 0 || bottom > innerHeight) element.scrollIntoView({ block: 'start', behavior: 'instant' })
    }
    portrait.addEventListener('change', handleRotation)
    return () => {
      observer.disconnect()
      portrait.removeEventListener('change', handleRotation)
    }
  }, [stage])
}
