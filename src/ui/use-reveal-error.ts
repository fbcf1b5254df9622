import { useEffect, useRef } from 'react'

const typing = (element: Element | null) => element?.matches('input:not([type=radio], [type=checkbox]), select, textarea')

/**
 * Returns a ref for an error message. When an error appears, the page scrolls to it and focuses the control that it describes (by `id`), or
 * the message itself. The focus stays where it is while somebody is typing, and an error in the first render is ignored.
 */
export function useRevealError<E extends HTMLElement>(error: unknown, id?: string) {
  const place = useRef<E>(null)
  const first = useRef(true)
  useEffect(() => {
    const coming = !first.current && error
    first.current = false
    if (!coming || !place.current) return
    const described = id ? document.querySelector<HTMLElement>(`[aria-describedby~="${CSS.escape(id)}"]`) : null
    const control = described?.matches('fieldset') ? described.querySelector<HTMLElement>('input') : described
    const target = control ?? place.current
    // If several fields of a form are invalid, only the first one is scrolled to and focused.
    const wrong = target.closest('form')?.querySelector('[aria-invalid=true]')
    if (control && wrong && wrong !== described) return
    place.current.scrollIntoView({ block: 'nearest' })
    if (typing(document.activeElement)) return
    target.focus({ preventScroll: control === null })
  }, [error, id])
  return place
}
