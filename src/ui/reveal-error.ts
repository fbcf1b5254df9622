import { useEffect, useRef } from 'react'

const typing = (element: Element | null) => element?.matches('input:not([type=radio], [type=checkbox]), select, textarea')

/**
 * A ref for an error message. When an error appears, the page scrolls to it, and the focus goes to the control that it describes (by `id`), or else
 * to the message. Somebody who is typing keeps the focus, and an error of the first render changes nothing.
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
    // Where a form has several errors, only the first takes the focus.
    const wrong = target.closest('form')?.querySelector('[aria-invalid=true]')
    if (control && wrong && wrong !== described) return
    place.current.scrollIntoView({ block: 'nearest' })
    if (typing(document.activeElement)) return
    target.focus({ preventScroll: control === null })
  }, [error, id])
  return place
}
