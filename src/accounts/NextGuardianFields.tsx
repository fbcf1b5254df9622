import type { UseFormReturn } from 'react-hook-form'
import { EmailField, TextField } from '../ui/field.tsx'

interface NamedGuardian {
  name: string
  email: string
}

/** Fields for the new guardian's name and email. `refused`: the server's message about the email or about the whole form. */
export function NextGuardianFields<T extends NamedGuardian>({ form, refused }: { form: UseFormReturn<T>; refused?: string }) {
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
