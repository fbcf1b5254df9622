import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { ApiError } from '../../client/api.ts'

/** Shows the server's messages beside the fields that they are about, or `otherwise` above the button where they are about none. */
export function showServerErrors<T extends FieldValues>(error: unknown, setError: UseFormSetError<T>, otherwise: string) {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : []
  if (!fields.length) setError('root', { message: otherwise })
  const taken = error instanceof ApiError && error.code === 'username-taken'
  for (const [field, said] of fields) {
    // The form has no username of its own: the email is sent as one.
    const message = taken ? 'This email has an account. Log in with it, or use another one.' : said
    setError((field === 'username' ? 'email' : field) as FieldPath<T>, { message })
  }
}
