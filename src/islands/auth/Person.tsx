import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import { TextField } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password.tsx'

/** What every registration asks. */
export interface PersonFields {
  firstName: string
  lastName: string
  email: string
  phone: string
  password: string
  dateOfBirth: string
  referralCode?: string | null
}

export function Person({
  register,
  errors,
  day,
}: {
  register: UseFormRegister<PersonFields>
  errors: FieldErrors<PersonFields>
  /** Why we ask for the date of birth. */
  day: string
}) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="First name" autoComplete="given-name" error={errors.firstName?.message} {...register('firstName')} />
        <TextField label="Last name" autoComplete="family-name" error={errors.lastName?.message} {...register('lastName')} />
      </div>
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        error={errors.email?.message}
        {...register('email')}
      />
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
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint="At least 8 characters"
        error={errors.password?.message}
        {...register('password')}
      />
    </>
  )
}

/** What we ask people to agree to by going on. */
export const Terms = () => (
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
