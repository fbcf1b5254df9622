/** If the page is still here this long after the browser asked "Leave site?", the visitor has chosen to stay. */
const STAYED_AFTER_MS = 3000

/**
 * Navigates to `url`. A command that awaits this keeps its button busy until the page is gone. Resolves only if the visitor comes back
 * to this page or stays on it, so that the button works again: the Back button has restored the page and its state from the back/forward
 * cache, or the visitor has answered "Leave site?" (see `UploadList`) with no. Browsers fire no event for that answer, so a timer starts
 * with the question; timers do not run while the question is shown.
 */
export const navigateAndWaitForReturn = (url: string) =>
  new Promise<void>(resolve => {
    const listening = new AbortController()
    const { signal } = listening
    const stay = () => {
      listening.abort()
      resolve()
    }
    addEventListener('pageshow', ({ persisted }) => persisted && stay(), { signal })
    addEventListener('beforeunload', ({ defaultPrevented }) => defaultPrevented && setTimeout(stay, STAYED_AFTER_MS), { signal })
    location.assign(url)
  })
