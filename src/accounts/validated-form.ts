import { useState } from 'react'
import { type FieldValues, type UseFormProps, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { ApiError } from '../client/api.ts'
import { errorMessage } from '../client/use-command.ts'
import { zodFormResolver } from '../client/zod-form-resolver.ts'
import { toast } from '../ui/toast.ts'
import { useFocusFirstError } from '../ui/use-focus-first-error.ts'

/**
 * A form that is validated by its schema before it is sent. The server's messages about fields appear next to them, others in a toast.
 * @param send sends the values; errors that it throws are shown
 * @param options.failed the title of the error toast
 * @returns react-hook-form's form, and for the screen: `submit`, `ref` (focuses the first field with an error), `errors`, `busy`, and
 * `done` once the values have been sent
 */
export function useValidatedForm<T extends FieldValues>(
  schema: z.ZodType<unknown, T>,
  send: (values: T) => Promise<unknown>,
  { failed = 'That did not work', ...props }: UseFormProps<T> & { failed?: string } = {},
) {
  const form = useForm<T>({ ...props, resolver: zodFormResolver(schema as never) as never, shouldFocusError: false })
  const [done, setDone] = useState(false)
  const submit = form.handleSubmit(async values => {
    try {
      await send(values)
      setDone(true)
    } catch (error) {
      const fields = error instanceof ApiError ? Object.entries(error.fields).filter(([field]) => field in values) : []
      for (const [field, message] of fields) form.setError(field as never, { message })
      if (!fields.length || (error as ApiError).status !== 422)
        toast({ title: failed, description: errorMessage(error), variant: 'destructive' })
    }
  })
  return {
    ...form,
    submit,
    ref: useFocusFirstError(form.formState.submitCount),
    done,
    errors: form.formState.errors as Record<string, { message?: string } | undefined>,
    busy: form.formState.isSubmitting,
  }
}
