import { useEffect } from 'react'
import { isDialogOpen, isTextEntry } from '../../ui/shortcut-guards.ts'

/** Marks a link as a row of the queue, which J and K move through. */
export const QUEUE_ROW_ATTRIBUTE = 'data-queue-row'

/** J and K focus the next and the previous row of the queue, as in mail programs; Enter opens the focused row. */
export function useQueueShortcuts() {
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      const by = { j: 1, k: -1 }[e.key]
      if (!by || e.ctrlKey || e.metaKey || e.altKey || isTextEntry(e.target) || isDialogOpen()) return
      const rows = [...document.querySelectorAll<HTMLElement>(`[${QUEUE_ROW_ATTRIBUTE}]`)]
      const current = rows.indexOf(document.activeElement as HTMLElement)
      const next = rows[current < 0 ? (by > 0 ? 0 : rows.length - 1) : current + by]
      next?.focus()
      next?.scrollIntoView({ block: 'nearest' })
      e.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
