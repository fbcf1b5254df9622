import { useEffect } from 'react'
import type { FieldValues, UseFormGetValues, UseFormWatch } from 'react-hook-form'
import type { PersonFields } from './Person.tsx'

/** What was typed on this page, by field, whichever form it was typed into. */
export interface Typed extends Partial<PersonFields> {
  /** The email of the address that a form has taken in. */
  prefilled?: string
  guardianName?: string | null
  guardianEmail?: string | null
  type?: ('baseball' | 'softball')[]
  skills?: ('hitting' | 'pitching' | 'fielding' | 'catching')[]
}

/** What both registrations ask: a form begins with what the other one was told. */
export const personOf = (typed: Typed) => {
  const { firstName, lastName, email, phone, password, dateOfBirth, referralCode } = typed
  return { firstName, lastName, email, phone, password, dateOfBirth, referralCode }
}

/** Hands on what is typed into a form. To be kept no longer than the page: there are passwords in it. */
export function useTyped<T extends FieldValues>(
  { watch, getValues }: { watch: UseFormWatch<T>; getValues: UseFormGetValues<T> },
  keep: (values: Partial<T>) => void,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what hears of it is the same for the life of the form.
  useEffect(() => {
    // What was typed before the script came is in the fields already.
    keep(getValues())
    const { unsubscribe } = watch(values => keep(values as Partial<T>))
    return unsubscribe
  }, [])
}

/** Puts the email that the address brings into the form, once: over what the browser filled in by itself, never over what is typed later. */
export function usePrefill(email: string, typed: Typed, set: (email: string) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new address fills the field; typing over it must last.
  useEffect(() => {
    if (!email || typed.prefilled === email) return
    typed.prefilled = email
    set(email)
  }, [email])
}
