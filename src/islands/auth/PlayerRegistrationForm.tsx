import { type UseFormRegister, useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { PlayerRegistration as Schema } from '../../../modules/accounts/contract.ts'
import { ADULT_AGE, ageOn, MIN_PLAYER_AGE } from '../../../modules/accounts/policy.ts'
import {
  type AuthFormValues,
  pickSharedRegistrationFields,
  useKeepAuthFormValuesInMemory,
  usePrefillEmailFromUrl,
} from '../../accounts/keep-typed-auth-values.ts'
import { registrationToast } from '../../accounts/login-and-registration-toasts.ts'
import type { AuthUrlParams } from '../../accounts/parse-auth-page-query.ts'
import { RegistrationFields, type RegistrationValues, TermsNotice } from '../../accounts/RegistrationFields.tsx'
import { pathAfterRegistration, redirectAfterToast } from '../../accounts/redirect-after-auth.ts'
import { useRegistrationIdempotencyKey } from '../../accounts/registration-idempotency-key.ts'
import { callApi, errorMessageSentByServer } from '../../client/api.ts'
import { signInWithRequest } from '../../client/login-session.ts'
import { retryWhenBusy } from '../../client/retry-when-busy.ts'
import { zodFormResolver } from '../../client/zod-form-resolver.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField, FieldError, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useFocusFirstError } from '../../ui/use-focus-first-error.ts'
import { showRegistrationErrors } from './show-registration-errors.ts'

type PlayerValues = z.input<typeof Schema>

/** Whether a player with this date of birth is old enough to register, but not an adult. */
const needsGuardian = (dateOfBirth: string | undefined) => {
  if (!/^\d{4}-\d\d-\d\d$/.test(dateOfBirth ?? '')) return false
  const age = ageOn(dateOfBirth!, new Date())
  return age >= MIN_PLAYER_AGE && age < ADULT_AGE
}

/**
 * Returns the previously typed values. Includes the guardian's only if the form asks for a guardian, because a hidden field must not have
 * an error.
 */
const initialValues = (typed: AuthFormValues) => {
  const { guardianName, guardianEmail } = typed
  return { ...pickSharedRegistrationFields(typed), ...(needsGuardian(typed.dateOfBirth) && { guardianName, guardianEmail }) }
}

export function PlayerRegistrationForm({ query, typed }: { query: AuthUrlParams; typed: AuthFormValues }) {
  const form = useForm<PlayerValues>({ resolver: zodFormResolver(Schema), shouldFocusError: false, defaultValues: initialValues(typed) })
  const { register, handleSubmit, formState, setValue, setError, control } = form
  const { errors, isSubmitting, isSubmitSuccessful } = formState
  const asksForGuardian = needsGuardian(useWatch({ control, name: 'dateOfBirth' }))
  const keyOf = useRegistrationIdempotencyKey()
  useKeepAuthFormValuesInMemory(form, values => Object.assign(typed, values))
  usePrefillEmailFromUrl(query.email, typed, email => setValue('email', email))

  const submit = handleSubmit(async values => {
    const { guardianName, guardianEmail, ...rest } = values
    const { invite: inviteCode, packageType } = query
    const body = { ...rest, ...(asksForGuardian && { guardianName, guardianEmail }), username: values.email, inviteCode, packageType }
    try {
      const user = await signInWithRequest(() =>
        retryWhenBusy(() => callApi('POST /api/register/player', { body }, { idempotencyKey: keyOf(values) })),
      )
      toast({ ...registrationToast(user, query), onward: true })
      redirectAfterToast(pathAfterRegistration(user, query))
    } catch (error) {
      const message = errorMessageSentByServer(error) || 'An error occurred during registration'
      toast({ title: 'Registration failed', description: message, variant: 'destructive' })
      showRegistrationErrors(error, setError, message)
    }
  })

  return (
    <form ref={useFocusFirstError(formState.submitCount)} method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      <RegistrationFields
        register={register as unknown as UseFormRegister<RegistrationValues>}
        errors={errors}
        birthDateHint={`You must be at least ${MIN_PLAYER_AGE}`}
      />
      {asksForGuardian && (
        <fieldset className="flex flex-col gap-4 rounded-card border border-line bg-field-wash p-4">
          <legend className="sr-only">Parent or guardian</legend>
          <p>
            <strong className="font-medium">You are under {ADULT_AGE}, so a parent or guardian has to agree.</strong>
            <span className="mt-1 block text-14 text-ink-2">
              We will email them a link. You can look around and upload right away, but an instructor can start only after your parent or
              guardian agrees. Your parent or guardian can see everything you and an instructor send each other.
            </span>
          </p>
          {/* While a year is being typed, it is briefly a year such as 0020, so these fields disappear and reappear with their text. */}
          <TextField
            label="Parent or guardian's name"
            autoComplete="off"
            error={errors.guardianName?.message}
            {...register('guardianName', { shouldUnregister: true, value: typed.guardianName ?? '' })}
          />
          <EmailField
            label="Parent or guardian's email"
            autoComplete="off"
            error={errors.guardianEmail?.message}
            {...register('guardianEmail', { shouldUnregister: true, value: typed.guardianEmail ?? '' })}
          />
        </fieldset>
      )}
      <TextField
        label="Referral code"
        optional
        hint="10% off your first assigned folder"
        autoComplete="off"
        error={errors.referralCode?.message}
        {...register('referralCode')}
      />
      <FieldError id="player-error" error={errors.root?.message} />
      <Button type="submit" size="lg" wide busy={isSubmitting || isSubmitSuccessful}>
        Create player account
      </Button>
      <TermsNotice />
    </form>
  )
}
