import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react'

/** Without input for so long the controls of a playing video in full screen hide. */
const HIDE_CONTROLS_AFTER_MS = 3000

/** Keeps focus and screen readers inside an element: all that lies beside it or beside one of its ancestors is inert. */
function makeRestInert(element: HTMLElement) {
  const made: HTMLElement[] = []
  for (let inner: HTMLElement = element; inner.parentElement && inner !== document.body; inner = inner.parentElement)
    for (const sibling of inner.parentElement.children)
      if (sibling !== inner && sibling instanceof HTMLElement && !sibling.inert && !/^(SCRIPT|STYLE)$/.test(sibling.tagName)) {
        sibling.inert = true
        made.push(sibling)
      }
  return () => {
    for (const sibling of made) sibling.inert = false
  }
}

/**
 * Full screen for an element, or while `isForced` all of the window. It is laid over the page by itself (`data-full-screen` in the markup does that), and asks the browser for the
 * rest of the screen: iPhones give that to a bare <video> alone, whose notes and drawings would be missing.
 */
export function useFullScreen(element: RefObject<HTMLElement | null>, isForced = false) {
  const [isFull, setFull] = useState(false)
  const isOverPage = isFull || isForced
  const toggle = useCallback(() => {
    const goingIn = !isFull
    setFull(goingIn)
    // The browser may refuse, as in a frame of another site; the overlay fills the window all the same.
    if (goingIn) element.current?.requestFullscreen?.().catch(() => {})
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
  }, [element, isFull])

  useLayoutEffect(() => {
    if (!isOverPage || !element.current) return
    const endInert = makeRestInert(element.current)
    const { documentElement: root } = document
    root.classList.add('locked')
    const handleChange = () => document.fullscreenElement || setFull(false)
    const handleKey = (e: KeyboardEvent) => e.key === 'Escape' && !document.fullscreenElement && setFull(false)
    document.addEventListener('fullscreenchange', handleChange)
    document.addEventListener('keydown', handleKey)
    return () => {
      document.removeEventListener('fullscreenchange', handleChange)
      document.removeEventListener('keydown', handleKey)
      root.classList.remove('locked')
      endInert()
    }
  }, [element, isOverPage])
  return { isFull, isOverPage, toggle }
}

/** Whether the controls are shown: always, but while a video plays in full screen only for a few seconds after each touch, move or key. */
export function useControlsShown(element: RefObject<HTMLElement | null>, mayHide: boolean) {
  const [isShown, setShown] = useState(true)
  useEffect(() => {
    const stage = element.current
    setShown(true)
    if (!mayHide || !stage) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      clearTimeout(timer)
      setShown(true)
      timer = setTimeout(setShown, HIDE_CONTROLS_AFTER_MS, false)
    }
    show()
    const listening = new AbortController()
    for (const event of ['pointermove', 'pointerup', 'keydown', 'focusin'])
      stage.addEventListener(event, show, { signal: listening.signal, passive: true })
    return () => {
      clearTimeout(timer)
      listening.abort()
    }
  }, [element, mayHide])
  return isShown
}
