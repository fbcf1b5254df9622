/** How long to wait after the last change of the window's width, so that the page has been laid out. */
const RESIZE_SETTLED_MS = 150

/**
 * Calls `repaint` after each change of the window's width: WebKit loses the picture of a paused <video> when the boxes around it
 * change. Stops when `signal` aborts.
 */
export function onWindowWidthChange(repaint: () => void, signal: AbortSignal) {
  let lastWidth = globalThis.innerWidth
  let timer: ReturnType<typeof setTimeout> | undefined
  const resized = () => {
    // Scrolling shows and hides the toolbars of a phone's browser, which changes only the window's height and no box around the video.
    if (innerWidth === lastWidth) return
    lastWidth = innerWidth
    clearTimeout(timer)
    timer = setTimeout(repaint, RESIZE_SETTLED_MS)
  }
  addEventListener('resize', resized, { signal })
  signal.addEventListener('abort', () => clearTimeout(timer))
}
