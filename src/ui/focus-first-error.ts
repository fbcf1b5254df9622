import { useEffect, useRef } from 'react'

/** For a form's `ref`: after a submit that failed the focus goes to its first wrong field in the order on screen. */
export function useFocusFirstError(submits: number) {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each submit counts, and what is wrong is in the page by then.
  useEffect(() => {
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    const field = wrong?.matches('fieldset') ? wrong.querySelector('input') : wrong
    field?.focus()
  }, [submits])
  return form
}
