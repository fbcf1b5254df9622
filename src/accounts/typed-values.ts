import { useEffect } from 'react'
import type { FieldValues, UseFormGetValues, UseFormWatch } from 'react-hook-form'
import type { RegistrationValues } from './RegistrationFields.tsx'

/** What somebody has typed into any of the forms of /auth: whoever changes the form finds it there again. */
export interface TypedValues extends Partial<RegistrationValues> {
  /** The email from the address that has been put into a form already. */
  prefilledEmail?: string
  guardianName?: string | null
  guardianEmail?: string | null
  type?: ('baseball' | 'softball')[]
  skills?: ('hitting' | 'pitching' | 'fielding' | 'catching')[]
}

/** The values of the fields that both registration forms have. */
export const registrationValuesOf = (typed: TypedValues) => {
  const { firstName, lastName, email, phone, password, dateOfBirth, referralCode } = typed
  return { firstName, lastName, email, phone, password, dateOfBirth, referralCode }
}

/** Calls `keep` with all values of a form whenever one changes. Keep them in memory only: there are passwords among them. */
export function useOnTyped<T extends FieldValues>(
  { watch, getValues }: { watch: UseFormWatch<T>; getValues: UseFormGetValues<T> },
  keep: (values: Partial<T>) => void,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `keep` and `watch` do the same for the life of the form.
  useEffect(() => {
    // The fields may hold what was typed before this code had loaded.
    keep(getValues())
    const { unsubscribe } = watch(values => keep(values as Partial<T>))
    return unsubscribe
  }, [])
}

/** Puts the email from the address into a form, once: over what the browser has filled in, but never over what is typed later. */
export function usePrefilledEmail(email: string, typed: TypedValues, set: (email: string) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new address fills the field; typing over it must last.
  useEffect(() => {
    if (!email || typed.prefilledEmail === email) return
    typed.prefilledEmail = email
    set(email)
  }, [email])
}
