import { useEffect } from 'react'
import type { FieldValues, UseFormGetValues, UseFormWatch } from 'react-hook-form'
import type { RegistrationValues } from './RegistrationFields.tsx'

/** What somebody has typed into the forms of /auth, kept so that switching to another form does not lose it. */
export interface AuthFormValues extends Partial<RegistrationValues> {
  /** The email from the page's URL that was already put into a form, remembered so that it does not overwrite later typing. */
  prefilledEmail?: string
  guardianName?: string | null
  guardianEmail?: string | null
  type?: ('baseball' | 'softball')[]
  skills?: ('hitting' | 'pitching' | 'fielding' | 'catching')[]
}

/** The values of the fields that both registration forms share. */
export const pickSharedRegistrationFields = (typed: AuthFormValues) => {
  const { firstName, lastName, email, phone, password, dateOfBirth, referralCode } = typed
  return { firstName, lastName, email, phone, password, dateOfBirth, referralCode }
}

/** Calls `keep` with all values of a form on each change. Keep them only in memory, because they include passwords. */
export function useKeepAuthFormValuesInMemory<T extends FieldValues>(
  { watch, getValues }: { watch: UseFormWatch<T>; getValues: UseFormGetValues<T> },
  keep: (values: Partial<T>) => void,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `keep` and `watch` behave the same as long as the form exists.
  useEffect(() => {
    // The fields may already hold text typed before this code loaded.
    keep(getValues())
    const { unsubscribe } = watch(values => keep(values as Partial<T>))
    return unsubscribe
  }, [])
}

/** Puts the email from the page's URL into a form once. It replaces what the browser filled in, but nothing that was typed later. */
export function usePrefillEmailFromUrl(email: string, typed: AuthFormValues, set: (email: string) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new address fills the field; typing over it must last.
  useEffect(() => {
    if (!email || typed.prefilledEmail === email) return
    typed.prefilledEmail = email
    set(email)
  }, [email])
}
