import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import { EmailField, TextField } from '../ui/field.tsx'
import { NameFields, NewPasswordField } from './name-and-new-password-fields.tsx'

/** The registration fields that players and instructors share. */
export interface RegistrationValues {
  firstName: string
  lastName: string
  email: string
  phone: string
  password: string
  dateOfBirth: string
  referralCode?: string | null
}

export function RegistrationFields({
  register,
  errors,
  birthDateHint: day,
}: {
  register: UseFormRegister<RegistrationValues>
  errors: FieldErrors<RegistrationValues>
  /** The hint below the date of birth: why we ask for it. */
  birthDateHint: string
}) {
  return (
    <>
      <NameFields {...{ register, errors }} />
      <EmailField error={errors.email?.message} {...register('email')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Phone" type="tel" inputMode="tel" autoComplete="tel" error={errors.phone?.message} {...register('phone')} />
        <TextField
          label="Date of birth"
          type="date"
          autoComplete="bday"
          hint={day}
          error={errors.dateOfBirth?.message}
          {...register('dateOfBirth')}
        />
      </div>
      <NewPasswordField error={errors.password?.message} {...register('password')} />
    </>
  )
}

export const TermsNotice = () => (
  <p className="text-13 text-ink-2">
    By creating an account you agree to our{' '}
    <a className="link" href="/terms-of-service">
      Terms of Service
    </a>{' '}
    and{' '}
    <a className="link" href="/privacy-policy">
      Privacy Policy
    </a>
    .
  </p>
)
