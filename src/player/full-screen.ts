import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react'

/** In full screen, the controls of a playing video hide after this time without input. */
const HIDE_CONTROLS_AFTER_MS = 3000

/** Keeps focus and screen readers inside an element by making everything outside of it inert. */
function makeRestInert(element: HTMLElement) {
  const inertElements: HTMLElement[] = []
  for (let inner: HTMLElement = element; inner.parentElement && inner !== document.body; inner = inner.parentElement)
    for (const sibling of inner.parentElement.children)
      if (sibling !== inner && sibling instanceof HTMLElement && !sibling.inert && !/^(SCRIPT|STYLE)$/.test(sibling.tagName)) {
        sibling.inert = true
        inertElements.push(sibling)
      }
  return () => {
    for (const sibling of inertElements) sibling.inert = false
  }
}

/**
 * Full screen for an element; while `isForced`, the element only fills the window. The caller's CSS lays the element over the page while
 * `isOverPage` (`FULL_SCREEN_CLASSES`), and the Fullscreen API, if the browser has it, hides the browser's own controls. iPhones offer that
 * API only for a bare <video>, without the notes and drawings.
 */
export function useFullScreen(element: RefObject<HTMLElement | null>, isForced = false) {
  const [isFull, setFull] = useState(false)
  const isOverPage = isFull || isForced
  const toggle = useCallback(() => {
    const isEntering = !isFull
    setFull(isEntering)
    // The browser may refuse, for example in an iframe on another site; the element then still fills the window.
    if (isEntering) element.current?.requestFullscreen?.().catch(() => {})
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
  }, [element, isFull])

  useLayoutEffect(() => {
    if (!isOverPage || !element.current) return
    const endInert = makeRestInert(element.current)
    const { documentElement: root } = document
    root.classList.add('locked', 'full-screen')
    const handleChange = () => document.fullscreenElement || setFull(false)
    const handleKey = (e: KeyboardEvent) => e.key === 'Escape' && !document.fullscreenElement && setFull(false)
    document.addEventListener('fullscreenchange', handleChange)
    document.addEventListener('keydown', handleKey)
    return () => {
      document.removeEventListener('fullscreenchange', handleChange)
      document.removeEventListener('keydown', handleKey)
      root.classList.remove('locked', 'full-screen')
      endInert()
    }
  }, [element, isOverPage])
  return { isFull, isOverPage, toggle }
}

/**
 * Whether the controls are shown. While `mayHide` (in full screen, while the video plays), they hide a few seconds after the last touch,
 * pointer move, focus change or key press.
 */
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
    const options = { signal: listening.signal, passive: true }
    for (const event of ['pointermove', 'pointerup', 'focusin']) stage.addEventListener(event, show, options)
    // Listens for keys on the document, because a tap on the picture takes the focus from the stage, and keys control the stage from
    // anywhere.
    document.addEventListener('keydown', show, options)
    return () => {
      clearTimeout(timer)
      listening.abort()
    }
  }, [element, mayHide])
  return isShown
}
