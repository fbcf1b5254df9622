import { KEPT, putToast, type Toast } from './toasts.ts'

/** How long a toast shows. */
export const SHOWN = 5000
/** How long the next page may take to load and still show the toast of this one, in ms. */
const NEXT_PAGE_WITHIN_MS = 60_000

/** Fetches what shows toasts: that the line is gone is said without one. */
export const readyToSay = () => import('./toaster.tsx').catch(() => undefined)

function show(said: Omit<Toast, 'id' | 'open'>) {
  const id = putToast(said)
  readyToSay().then(toaster => toaster?.mountToaster())
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
    if (onward) sessionStorage.setItem(KEPT, JSON.stringify({ ...said, until: Date.now() + NEXT_PAGE_WITHIN_MS }))
    else sessionStorage.removeItem(KEPT)
  } catch {
    // No storage, no toast on the next page.
  }
  return show({ ...said, duration: onward ? Number.POSITIVE_INFINITY : SHOWN })
}

/** Shows here what the page before said as it led here. */
export function restoreToast() {
  try {
    const { until, ...said } = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}')
    sessionStorage.removeItem(KEPT)
    if (until > Date.now()) show({ ...said, duration: SHOWN })
  } catch {
    // Not ours, or no storage.
  }
}
