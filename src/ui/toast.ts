import { STORED_TOAST_KEY, setCurrentToast, storeToastForNextPage, type Toast } from './toast-store.ts'

export const TOAST_DURATION_MS = 5000
/** How long the next page may take to load and still show this page's toast. */
const NEXT_PAGE_WITHIN_MS = 60_000

/** Loads the toast code in advance, so that a toast can still report a lost connection. */
export const preloadToaster = () => import('./toaster.tsx').catch(() => undefined)

function show(said: Omit<Toast, 'id' | 'open'>) {
  const id = setCurrentToast(said)
  preloadToaster().then(toaster => toaster?.mountToaster())
  return id
}

/**
 * Shows a toast, replacing the previous one. With `onward`, for a toast before a navigation, the next page shows it again for its full
 * duration, so that people can read it even if the navigation cuts it short here.
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
  storeToastForNextPage(onward ? JSON.stringify({ ...said, until: Date.now() + NEXT_PAGE_WITHIN_MS }) : null)
  return show({ ...said, duration: onward ? Number.POSITIVE_INFINITY : TOAST_DURATION_MS })
}

/** Shows the `onward` toast of the previous page. */
export function restoreToast() {
  try {
    const { until, ...said } = JSON.parse(sessionStorage.getItem(STORED_TOAST_KEY) ?? '{}')
    sessionStorage.removeItem(STORED_TOAST_KEY)
    if (until > Date.now()) show({ ...said, duration: TOAST_DURATION_MS })
  } catch {
    // The stored value is not ours, or storage is unavailable.
  }
}
