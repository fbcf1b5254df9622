/** If the page is still here this long after the browser asked "Leave site?", the visitor has chosen to stay. */
const STAYED_AFTER_MS = 3000

/**
 * Navigates to `url`. A command that awaits this keeps its button busy until the page is gone. Resolves only if the visitor is here again,
 * so that the button works: the Back button has restored this page from the back/forward cache, with the memory it had, or the visitor has
 * answered "Leave site?" (see `UploadList`) with no. Browsers report no event for that answer, so a timer follows the question; timers stand
 * still while the question is shown.
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
