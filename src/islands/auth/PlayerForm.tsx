import { type UseFormRegister, useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { PlayerRegistration as Schema } from '../../../modules/accounts/contract.ts'
import { ADULT_AGE, ageOn, MINIMUM_AGE } from '../../../modules/accounts/policy.ts'
import { useKey } from '../../accounts/key.ts'
import { Person, type PersonFields, Terms } from '../../accounts/Person.tsx'
import { personOf, type Typed, usePrefill, useTyped } from '../../accounts/typed.ts'
import { afterRegistration, redirect, registered, type Way } from '../../accounts/way.ts'
import { call, serverMessage } from '../../client/api.ts'
import { retryWhenBusy } from '../../client/retry-when-busy.ts'
import { signIn } from '../../client/session.ts'
import { zodFormResolver } from '../../client/zod-form-resolver.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField, FieldError, TextField } from '../../ui/field.tsx'
import { useFocusFirstError } from '../../ui/focus-first-error.ts'
import { toast } from '../../ui/toast.ts'
import { refuse } from './refuse.ts'

type Form = z.input<typeof Schema>

const minor = (born: string | undefined) => {
  if (!/^\d{4}-\d\d-\d\d$/.test(born ?? '')) return false
  const age = ageOn(born!, new Date())
  return age >= MINIMUM_AGE && age < ADULT_AGE
}

/** What was typed before. The guardian only where one is asked for: what nobody sees must not be wrong. */
const begun = (typed: Typed) => {
  const { guardianName, guardianEmail } = typed
  return { ...personOf(typed), ...(minor(typed.dateOfBirth) && { guardianName, guardianEmail }) }
}

export function PlayerForm({ way, typed }: { way: Way; typed: Typed }) {
  const form = useForm<Form>({ resolver: zodFormResolver(Schema), shouldFocusError: false, defaultValues: begun(typed) })
  const { register, handleSubmit, formState, setValue, setError, control } = form
  const { errors, isSubmitting, isSubmitSuccessful } = formState
  const guarded = minor(useWatch({ control, name: 'dateOfBirth' }))
  const keyOf = useKey()
  useTyped(form, values => Object.assign(typed, values))
  usePrefill(way.email, typed, email => setValue('email', email))

  const submit = handleSubmit(async values => {
    const { guardianName, guardianEmail, ...rest } = values
    const { invite: inviteCode, packageType } = way
    const body = { ...rest, ...(guarded && { guardianName, guardianEmail }), username: values.email, inviteCode, packageType }
    try {
      const user = await signIn(() => retryWhenBusy(() => call('POST /api/register/player', { body }, { idempotencyKey: keyOf(values) })))
      toast({ ...registered(user, way), onward: true })
      redirect(afterRegistration(user, way))
    } catch (error) {
      const message = serverMessage(error) || 'An error occurred during registration'
      toast({ title: 'Registration failed', description: message, variant: 'destructive' })
      refuse(error, setError, message)
    }
  })

  return (
    <form ref={useFocusFirstError(formState.submitCount)} method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Person register={register as unknown as UseFormRegister<PersonFields>} errors={errors} day={`You must be at least ${MINIMUM_AGE}`} />
      {guarded && (
        <fieldset className="flex flex-col gap-4 rounded-card border border-line bg-field-wash p-4">
          <legend className="sr-only">Parent or guardian</legend>
          <p>
            <strong className="font-medium">You are under {ADULT_AGE}, so a parent or guardian has to agree.</strong>
            <span className="mt-1 block text-14 text-ink-2">
              We send them a link. You can look around and upload right away; an instructor can start once they have agreed. They can read
              everything between you and an instructor.
            </span>
          </p>
          <TextField
            label="Parent or guardian's name"
            autoComplete="off"
            error={errors.guardianName?.message}
            {...register('guardianName', { shouldUnregister: true })}
          />
          <EmailField
            label="Parent or guardian's email"
            autoComplete="off"
            error={errors.guardianEmail?.message}
            {...register('guardianEmail', { shouldUnregister: true })}
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
      <Terms />
    </form>
  )
}
