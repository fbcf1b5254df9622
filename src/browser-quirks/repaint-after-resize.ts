/** When the window has had its size for so long, the page is laid out. */
const RESIZE_SETTLED_MS = 150

/**
 * Calls `repaint` once after the window has become wider or narrower: WebKit loses the picture of a paused <video> where the boxes around it
 * change. Ends with `signal`.
 */
export function onWidthChanged(repaint: () => void, signal: AbortSignal) {
  let lastWidth = globalThis.innerWidth
  let timer: ReturnType<typeof setTimeout> | undefined
  const resized = () => {
    // A phone's own bars come and go with every scroll and change the height alone, which moves no box.
    if (innerWidth === lastWidth) return
    lastWidth = innerWidth
    clearTimeout(timer)
    timer = setTimeout(repaint, RESIZE_SETTLED_MS)
  }
  addEventListener('resize', resized, { signal })
  signal.addEventListener('abort', () => clearTimeout(timer))
}
