import { KEPT, putToast, type Toast } from './toasts.ts'

/** How long a toast shows. */
export const SHOWN = 5000
/** Fetches what shows toasts: that the line is gone is said without one. */
export const readyToSay = () => import('./toaster.tsx').catch(() => undefined)

function show(said: Omit<Toast, 'id' | 'open'>) {
  const id = putToast(said)
  readyToSay().then(toaster => toaster?.mountToaster())
  return id
}

/**
 * Says something to the person, in place of what was said before. `onward` where we lead them to another page at once: it is said there,
 * too. Anything else stays on its page.
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
    if (onward) sessionStorage.setItem(KEPT, JSON.stringify({ ...said, until: Date.now() + SHOWN }))
    else sessionStorage.removeItem(KEPT)
  } catch {
    // No storage, no toast on the next page.
  }
  return show({ ...said, duration: SHOWN })
}

/** Shows here what the page before said less than 5 seconds ago as it led on. */
export function restoreToast() {
  try {
    const { until, ...said } = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}')
    sessionStorage.removeItem(KEPT)
    if (until > Date.now()) show({ ...said, duration: until - Date.now() })
  } catch {
    // Not ours, or no storage.
  }
}
