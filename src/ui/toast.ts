import { atom } from 'nanostores'

export interface Toast {
  id: number
  title: string
  description?: string
  variant?: 'default' | 'destructive'
  open: boolean
  /** How long it shows, in ms; what is left of 5000 when it came with the visitor from the page before. */
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

function show(said: Omit<Toast, 'id' | 'open'>) {
  clearTimeout(removal)
  const id = ++count
  $toasts.set([{ ...said, id, open: true }])
  import('./toaster.tsx').then(({ mountToaster }) => mountToaster())
  return id
}

/** Says something to the person, in place of what was said before. It goes along when the page changes. */
export function toast(said: { title: string; description?: string; variant?: 'default' | 'destructive' }): number {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ ...said, until: Date.now() + SHOWN }))
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

/** Shows again what the page before said less than 5 seconds ago. */
export function restoreToast() {
  try {
    const { until, ...said } = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}')
    if (until > Date.now()) show({ ...said, duration: until - Date.now() })
    else sessionStorage.removeItem(KEPT)
  } catch {
    // Not ours, or no storage.
  }
}
