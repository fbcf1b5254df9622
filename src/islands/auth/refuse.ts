import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { ApiError } from '../../client/api.ts'

/** Puts the server's words beside the fields that they are about. */
export function refuse<T extends FieldValues>(error: unknown, setError: UseFormSetError<T>) {
  if (!(error instanceof ApiError)) return
  for (const [field, message] of Object.entries(error.fields)) {
    setError((field === 'username' ? 'email' : field) as FieldPath<T>, { message }, { shouldFocus: true })
  }
}
