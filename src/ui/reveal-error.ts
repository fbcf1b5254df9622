import { useEffect, useRef } from 'react'

const typing = (element: Element | null) => element?.matches('input:not([type=radio], [type=checkbox]), select, textarea')

/**
 * For what says why a button did not do its work: when an error comes, it is scrolled to, and the focus goes to the control that it
 * describes (by `id`), or else to the error itself. Nobody's typing is interrupted, and what was wrong from the start is left alone.
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
    // The first of a form, where several are wrong.
    const wrong = target.closest('form')?.querySelector('[aria-invalid=true]')
    if (control && wrong && wrong !== described) return
    place.current.scrollIntoView({ block: 'nearest' })
    if (typing(document.activeElement)) return
    target.focus({ preventScroll: control === null })
  }, [error, id])
  return place
}
