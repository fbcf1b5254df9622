import { atom } from 'nanostores'

export interface Toast {
  id: number
  title: string
  description?: string
  variant?: 'default' | 'destructive'
  open: boolean
  /** How long the toast shows, in ms; infinite on a page that is being left, because the next page shows it again. */
  duration: number
}

/** How long a dismissed toast stays in the store, in ms. */
export const DISMISSED_TOAST_RETENTION_MS = 1_000_000
/** The sessionStorage key of a toast for the next page. */
export const STORED_TOAST_KEY = 'toast'

/** The toasts of this page: at most one, because a new toast replaces the previous one. */
export const $toasts = atom<Toast[]>([])
let count = 0
let removal: ReturnType<typeof setTimeout> | undefined

/** Replaces the current toast with a new one. @returns its id */
export function setCurrentToast(said: Omit<Toast, 'id' | 'open'>): number {
  clearTimeout(removal)
  const id = ++count
  $toasts.set([{ ...said, id, open: true }])
  return id
}

/** Stores a toast, as JSON, for the next page; null removes it. Without storage, the next page shows none. */
export function storeToastForNextPage(toast: string | null) {
  try {
    if (toast) sessionStorage.setItem(STORED_TOAST_KEY, toast)
    else sessionStorage.removeItem(STORED_TOAST_KEY)
  } catch {
    // The browser blocks storage.
  }
}

export function dismissToast(id: number) {
  $toasts.set($toasts.get().map(t => (t.id === id ? { ...t, open: false } : t)))
  storeToastForNextPage(null)
  clearTimeout(removal)
  removal = setTimeout(() => $toasts.set($toasts.get().filter(t => t.id !== id)), DISMISSED_TOAST_RETENTION_MS)
}
