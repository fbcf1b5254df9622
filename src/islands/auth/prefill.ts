import { useEffect } from 'react'

/** Puts what the address says into the form, once the address is known. */
export function usePrefill(value: string, set: (value: string) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new value fills the field; typing over it must last.
  useEffect(() => {
    if (value) set(value)
  }, [value])
}
