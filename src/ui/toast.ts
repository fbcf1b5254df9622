import { replaceToast, STORED_TOAST_KEY, type Toast } from './toast-store.ts'

/** How long a toast shows, ms. */
export const TOAST_DURATION_MS = 5000
/** How long the next page may take to load and still show the toast of this one, in ms. */
const NEXT_PAGE_WITHIN_MS = 60_000

/** Loads the code of toasts in advance, so that a lost connection can still be reported. */
export const preloadToaster = () => import('./toaster.tsx').catch(() => undefined)

function show(said: Omit<Toast, 'id' | 'open'>) {
  const id = replaceToast(said)
  preloadToaster().then(toaster => toaster?.mountToaster())
  return id
}

/**
 * Shows a toast in place of the one before. With `onward`, for a toast that is followed by a navigation, the next page shows it again in full, so
 * that a slow page hides it from nobody.
 * @returns the toast's id
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

/** Shows the `onward` toast of the page before. */
export function restoreToast() {
  try {
    const { until, ...said } = JSON.parse(sessionStorage.getItem(STORED_TOAST_KEY) ?? '{}')
    sessionStorage.removeItem(STORED_TOAST_KEY)
    if (until > Date.now()) show({ ...said, duration: TOAST_DURATION_MS })
  } catch {
    // Not ours, or no storage.
  }
}
