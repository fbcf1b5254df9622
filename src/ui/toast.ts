import { atom } from 'nanostores'

export interface Toast {
  id: number
  title: string
  description?: string
  variant?: 'default' | 'destructive'
  open: boolean
  /** How long it shows, in ms; what is left of 5000 when it led here from the page before. */
  duration: number
}

/** How long a toast shows. */
export const SHOWN = 5000
/** How long a dismissed toast is kept before it is removed. */
export const REMOVED_AFTER = 1_000_000
const KEPT = 'toast'

/** The toasts that there are: one at most. */
export const $toasts = atom<Toast[]>([])
let count = 0
let removal: ReturnType<typeof setTimeout> | undefined

/** Fetches what shows toasts: that the line is gone is said without one. */
export const readyToSay = () => import('./toaster.tsx').catch(() => undefined)

function show(said: Omit<Toast, 'id' | 'open'>) {
  clearTimeout(removal)
  const id = ++count
  $toasts.set([{ ...said, id, open: true }])
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

export function dismissToast(id: number) {
  $toasts.set($toasts.get().map(t => (t.id === id ? { ...t, open: false } : t)))
  sessionStorage.removeItem(KEPT)
  clearTimeout(removal)
  removal = setTimeout(() => $toasts.set($toasts.get().filter(t => t.id !== id)), REMOVED_AFTER)
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
