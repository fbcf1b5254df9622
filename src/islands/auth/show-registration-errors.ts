import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { ApiError } from '../../client/api.ts'

/** Shows each server message next to its field, or `fallback` above the button if no message belongs to a field. */
export function showRegistrationErrors<T extends FieldValues>(error: unknown, setError: UseFormSetError<T>, fallback: string) {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : []
  if (!fields.length) setError('root', { message: fallback })
  const taken = error instanceof ApiError && error.code === 'username-taken'
  for (const [field, serverText] of fields) {
    // The form sends the email as the username, so a taken username means a taken email.
    const message = taken ? 'This email address already has an account. Log in with it, or use a different one.' : serverText
    setError((field === 'username' ? 'email' : field) as FieldPath<T>, { message })
  }
}
