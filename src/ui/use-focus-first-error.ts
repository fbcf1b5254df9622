import { useEffect, useRef } from 'react'

/**
 * After each failed submit, focuses the first invalid field in DOM order.
 * @param submits the number of failed submits
 * @returns a ref for the form
 */
export function useFocusFirstError(submits: number) {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failed submit must run this, after its errors have been rendered.
  useEffect(() => {
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    const field = wrong?.matches('fieldset') ? wrong.querySelector('input') : wrong
    field?.focus()
  }, [submits])
  return form
}
