import type { UseFormReturn } from 'react-hook-form'
import { EmailField, TextField } from '../ui/field.tsx'

interface NamedGuardian {
  name: string
  email: string
}

/** Name and email of the guardian who takes over. `refused`: what the server says of the email, or of all of it. */
export function GuardianFields<T extends NamedGuardian>({ form, refused }: { form: UseFormReturn<T>; refused?: string }) {
  const { register, formState } = form as unknown as UseFormReturn<NamedGuardian>
  return (
    <>
      <TextField
        label="Their name"
        autoComplete="off"
        error={formState.errors.name?.message}
        {...register('name', { validate: name => name.trim() !== '' || 'Enter their name' })}
      />
      <EmailField
        label="Their email"
        autoComplete="off"
        error={formState.errors.email?.message ?? refused}
        {...register('email', {
          required: 'Invalid email address',
          pattern: { value: /^\s*\S+@\S+\.\S+\s*$/, message: 'Invalid email address' },
        })}
      />
    </>
  )
}
