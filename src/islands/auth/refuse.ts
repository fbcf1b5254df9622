import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { ApiError } from '../../client/api.ts'

/** Puts the server's words beside the fields that they are about; `otherwise` beside the button, where they are about none. */
export function refuse<T extends FieldValues>(error: unknown, setError: UseFormSetError<T>, otherwise: string) {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : []
  if (!fields.length) setError('root', { message: otherwise })
  const taken = error instanceof ApiError && error.code === 'username-taken'
  for (const [field, said] of fields) {
    // Nobody here chose a username: it is the email.
    const message = taken ? 'This email has an account. Log in with it, or use another one.' : said
    setError((field === 'username' ? 'email' : field) as FieldPath<T>, { message })
  }
}
