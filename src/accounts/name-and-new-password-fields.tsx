import type { ComponentProps } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { TextField } from '../ui/field.tsx'
import { PasswordField } from '../ui/password-field.tsx'

interface NameForm {
  register: (name: 'firstName' | 'lastName') => UseFormRegisterReturn
  errors: { firstName?: { message?: string }; lastName?: { message?: string } }
}

/** First and last name, side by side if they fit. */
export const NameFields = ({ register, errors }: NameForm) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <TextField label="First name" autoComplete="given-name" error={errors.firstName?.message} {...register('firstName')} />
    <TextField label="Last name" autoComplete="family-name" error={errors.lastName?.message} {...register('lastName')} />
  </div>
)

export const NewPasswordField = ({
  label = 'Password',
  ...rest
}: Omit<ComponentProps<typeof PasswordField>, 'label'> & { label?: string }) => (
  <PasswordField label={label} autoComplete="new-password" hint="At least 8 characters" {...rest} />
)
