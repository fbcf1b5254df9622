import { replaceToast, STORED_TOAST_KEY, type Toast } from './toast-store.ts'

/** How long a toast shows. */
export const TOAST_DURATION_MS = 5000
/** How long the next page may take to load and still show the toast of this one, in ms. */
const NEXT_PAGE_WITHIN_MS = 60_000

/** Fetches what shows toasts: that the line is gone is said without one. */
export const preloadToaster = () => import('./toaster.tsx').catch(() => undefined)

function show(said: Omit<Toast, 'id' | 'open'>) {
  const id = replaceToast(said)
  preloadToaster().then(toaster => toaster?.mountToaster())
  return id
}

/**
 * Says something to the person, in place of what was said before. `onward` where we lead them to another page at once: that page says it
 * for as long again, so that nobody misses it whose page takes long to load. Anything else stays on its page.
 */
export function toast({
  onward,
  ...said
}: {
  title: string
  description?: string
  variant?: 'default' | 'destructive'
  onward?: boolean
}): number {
  try {
    if (onward) sessionStorage.setItem(STORED_TOAST_KEY, JSON.stringify({ ...said, until: Date.now() + NEXT_PAGE_WITHIN_MS }))
    else sessionStorage.removeItem(STORED_TOAST_KEY)
  } catch {
    // No storage, no toast on the next page.
  }
  return show({ ...said, duration: onward ? Number.POSITIVE_INFINITY : TOAST_DURATION_MS })
}

/** Shows here what the page before said as it led here. */
export function restoreToast() {
  try {
    const { until, ...said } = JSON.parse(sessionStorage.getItem(STORED_TOAST_KEY) ?? '{}')
    sessionStorage.removeItem(STORED_TOAST_KEY)
    if (until > Date.now()) show({ ...said, duration: TOAST_DURATION_MS })
  } catch {
    // Not ours, or no storage.
  }
}
