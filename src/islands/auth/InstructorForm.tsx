import { type UseFormRegister, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { InstructorRegistration as Schema } from '../../../modules/accounts/contract.ts'
import { ADULT_AGE } from '../../../modules/accounts/policy.ts'
import { useKey } from '../../accounts/key.ts'
import { Person, type PersonFields, Terms } from '../../accounts/Person.tsx'
import { personOf, type Typed, usePrefill, useTyped } from '../../accounts/typed.ts'
import { afterRegistration, instructorMessage, redirect, registered, type Way } from '../../accounts/way.ts'
import { call, serverMessage } from '../../client/api.ts'
import { retryWhenBusy } from '../../client/retry-when-busy.ts'
import { signIn } from '../../client/session.ts'
import { zodFormResolver } from '../../client/zod-form-resolver.ts'
import { Button } from '../../ui/button.tsx'
import { Choice, Choices } from '../../ui/choices.tsx'
import { FieldError, TextField } from '../../ui/field.tsx'
import { useFocusFirstError } from '../../ui/focus-first-error.ts'
import { toast } from '../../ui/toast.ts'
import { refuse } from './refuse.ts'

type Form = z.input<typeof Schema>

const sports = { baseball: 'Baseball', softball: 'Softball' }
const skills = { hitting: 'Hitting', pitching: 'Pitching', fielding: 'Fielding', catching: 'Catching' }

export function InstructorForm({ way, typed }: { way: Way; typed: Typed }) {
  const form = useForm<Form>({
    resolver: zodFormResolver(Schema),
    shouldFocusError: false,
    defaultValues: { ...personOf(typed), type: typed.type ?? [], skills: typed.skills ?? [] },
  })
  const { register, handleSubmit, formState, setValue, setError } = form
  const { errors, isSubmitting, isSubmitSuccessful } = formState
  const keyOf = useKey()
  useTyped(form, values => Object.assign(typed, values))
  usePrefill(way.email, typed, email => setValue('email', email))

  const submit = handleSubmit(async values => {
    try {
      const body = { ...values, username: values.email, inviteCode: way.invite }
      const user = await signIn(() =>
        retryWhenBusy(() => call('POST /api/register/instructor', { body }, { idempotencyKey: keyOf(values) })),
      )
      toast({ ...registered(user, way), onward: true })
      redirect(afterRegistration(user, way))
    } catch (error) {
      const message = instructorMessage(serverMessage(error))
      toast({ title: 'Registration failed', description: message, variant: 'destructive' })
      refuse(error, setError, message)
    }
  })

  return (
    <form ref={useFocusFirstError(formState.submitCount)} method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Person
        register={register as unknown as UseFormRegister<PersonFields>}
        errors={errors}
        day={`Instructors must be at least ${ADULT_AGE}`}
      />
      <Choices legend="What do you teach?" error={errors.type?.message}>
        {Object.entries(sports).map(([value, label]) => (
          <Choice key={value} value={value} label={label} {...register('type')} />
        ))}
      </Choices>
      <Choices legend="Which skills?" error={errors.skills?.message}>
        {Object.entries(skills).map(([value, label]) => (
          <Choice key={value} value={value} label={label} {...register('skills')} />
        ))}
      </Choices>
      <TextField label="Referral code" optional autoComplete="off" error={errors.referralCode?.message} {...register('referralCode')} />
      <FieldError id="instructor-error" error={errors.root?.message} />
      <Button type="submit" size="lg" wide busy={isSubmitting || isSubmitSuccessful}>
        Create instructor account
      </Button>
      <Terms />
    </form>
  )
}
