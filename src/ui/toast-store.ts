import { atom } from 'nanostores'

export interface Toast {
  id: number
  title: string
  description?: string
  variant?: 'default' | 'destructive'
  open: boolean
  /** How long it shows, in ms; without end on a page that is being left, since the next page shows it again. */
  duration: number
}

/** How long a dismissed toast is kept before it is removed. */
export const TOAST_REMOVAL_MS = 1_000_000
/** Where a toast for the page after this one is kept. */
export const STORED_TOAST_KEY = 'toast'

/** The toasts that there are: one at most. */
export const $toasts = atom<Toast[]>([])
let count = 0
let removal: ReturnType<typeof setTimeout> | undefined

/** Puts a toast in place of the one before. @returns its id */
export function replaceToast(said: Omit<Toast, 'id' | 'open'>): number {
  clearTimeout(removal)
  const id = ++count
  $toasts.set([{ ...said, id, open: true }])
  return id
}

export function dismissToast(id: number) {
  $toasts.set($toasts.get().map(t => (t.id === id ? { ...t, open: false } : t)))
  sessionStorage.removeItem(STORED_TOAST_KEY)
  clearTimeout(removal)
  removal = setTimeout(() => $toasts.set($toasts.get().filter(t => t.id !== id)), TOAST_REMOVAL_MS)
}
