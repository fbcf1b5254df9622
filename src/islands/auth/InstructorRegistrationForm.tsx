import { type UseFormRegister, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { InstructorRegistration as Schema } from '../../../modules/accounts/contract.ts'
import { ADULT_AGE } from '../../../modules/accounts/policy.ts'
import {
  type AuthFormValues,
  pickSharedRegistrationFields,
  useKeepAuthFormValuesInMemory,
  usePrefillEmailFromUrl,
} from '../../accounts/keep-typed-auth-values.ts'
import { instructorRegistrationError, registrationToast } from '../../accounts/login-and-registration-toasts.ts'
import type { AuthUrlParams } from '../../accounts/parse-auth-page-query.ts'
import { RegistrationFields, type RegistrationValues, TermsNotice } from '../../accounts/RegistrationFields.tsx'
import { pathAfterRegistration, redirectAfterToast } from '../../accounts/redirect-after-auth.ts'
import { useRegistrationIdempotencyKey } from '../../accounts/registration-idempotency-key.ts'
import { callApi, errorMessageSentByServer } from '../../client/api.ts'
import { signInWithRequest } from '../../client/login-session.ts'
import { retryWhenBusy } from '../../client/retry-when-busy.ts'
import { zodFormResolver } from '../../client/zod-form-resolver.ts'
import { Button } from '../../ui/button.tsx'
import { Choice, ChoiceGroup } from '../../ui/choices.tsx'
import { FieldError, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useFocusFirstError } from '../../ui/use-focus-first-error.ts'
import { showRegistrationErrors } from './show-registration-errors.ts'

type InstructorValues = z.input<typeof Schema>

const sports = { baseball: 'Baseball', softball: 'Softball' }
const skills = { hitting: 'Hitting', pitching: 'Pitching', fielding: 'Fielding', catching: 'Catching' }

export function InstructorRegistrationForm({ query, typed }: { query: AuthUrlParams; typed: AuthFormValues }) {
  const form = useForm<InstructorValues>({
    resolver: zodFormResolver(Schema),
    shouldFocusError: false,
    defaultValues: { ...pickSharedRegistrationFields(typed), type: typed.type ?? [], skills: typed.skills ?? [] },
  })
  const { register, handleSubmit, formState, setValue, setError } = form
  const { errors, isSubmitting, isSubmitSuccessful } = formState
  const keyOf = useRegistrationIdempotencyKey()
  useKeepAuthFormValuesInMemory(form, values => Object.assign(typed, values))
  usePrefillEmailFromUrl(query.email, typed, email => setValue('email', email))

  const submit = handleSubmit(async values => {
    try {
      const body = { ...values, username: values.email, inviteCode: query.invite }
      const user = await signInWithRequest(() =>
        retryWhenBusy(() => callApi('POST /api/register/instructor', { body }, { idempotencyKey: keyOf(values) })),
      )
      toast({ ...registrationToast(user, query), onward: true })
      redirectAfterToast(pathAfterRegistration(user, query))
    } catch (error) {
      const message = instructorRegistrationError(errorMessageSentByServer(error))
      toast({ title: 'Registration failed', description: message, variant: 'destructive' })
      showRegistrationErrors(error, setError, message)
    }
  })

  return (
    <form ref={useFocusFirstError(formState.submitCount)} method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      <RegistrationFields
        register={register as unknown as UseFormRegister<RegistrationValues>}
        errors={errors}
        birthDateHint={`Instructors must be at least ${ADULT_AGE}`}
      />
      <ChoiceGroup legend="What do you teach?" error={errors.type?.message}>
        {Object.entries(sports).map(([value, label]) => (
          <Choice key={value} value={value} label={label} {...register('type')} />
        ))}
      </ChoiceGroup>
      <ChoiceGroup legend="Which skills?" error={errors.skills?.message}>
        {Object.entries(skills).map(([value, label]) => (
          <Choice key={value} value={value} label={label} {...register('skills')} />
        ))}
      </ChoiceGroup>
      <TextField label="Referral code" optional autoComplete="off" error={errors.referralCode?.message} {...register('referralCode')} />
      <FieldError id="instructor-error" error={errors.root?.message} />
      <Button type="submit" size="lg" wide busy={isSubmitting || isSubmitSuccessful}>
        Create instructor account
      </Button>
      <TermsNotice />
    </form>
  )
}
