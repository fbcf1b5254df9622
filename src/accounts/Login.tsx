import { type Control, useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { Login as Schema } from '../../modules/accounts/contract.ts'
import { ApiError, call } from '../client/api.ts'
import { errorMessage } from '../client/command.ts'
import { signIn } from '../client/session.ts'
import { zodFormResolver } from '../client/zod-form-resolver.ts'
import { inviteHere } from '../instructors/stored-invite.ts'
import { Button } from '../ui/button.tsx'
import { EmailField, FieldError } from '../ui/field.tsx'
import { useFocusFirstError } from '../ui/focus-first-error.ts'
import { PasswordField } from '../ui/password-field.tsx'
import { toast } from '../ui/toast.ts'
import { type Typed, usePrefill, useTyped } from './typed.ts'
import { afterLogin, redirect, type Way, welcome } from './way.ts'

/** What is said when a login fails: only the server knows that the password is wrong. */
const refusal = (error: unknown) =>
  error instanceof ApiError && error.status < 500 && error.status !== 429
    ? 'Invalid username or password. Please try again.'
    : errorMessage(error)

type Form = z.input<typeof Schema>

/** Whoever forgot the password need not type the email again. */
function Forgotten({ control }: { control: Control<Form> }) {
  const email = useWatch({ control, name: 'username' })?.trim()
  return (
    <a className="link inline-flex min-h-11 items-center" href={`/forgot-password${email ? `?email=${encodeURIComponent(email)}` : ''}`}>
      Forgot your password?
    </a>
  )
}

export function Login({ way, typed }: { way: Way; typed: Typed }) {
  const form = useForm<Form>({ resolver: zodFormResolver(Schema), shouldFocusError: false, defaultValues: { username: typed.email } })
  const { register, handleSubmit, formState, setValue, setError, control } = form
  const { errors, isSubmitting, isSubmitSuccessful } = formState
  useTyped(form, ({ username }) => Object.assign(typed, { email: username }))
  usePrefill(way.email, typed, email => setValue('username', email))

  const submit = handleSubmit(async ({ username, password }) => {
    try {
      const user = await signIn(() => call('POST /api/login', { body: { username, password } }))
      toast({ ...welcome(user, way), onward: true })
      // Who came by an invitation and has an account comes here without it in the address.
      redirect(afterLogin(user, { ...way, invite: inviteHere() }))
    } catch (error) {
      const message = refusal(error)
      toast({ title: 'Login failed', description: message, variant: 'destructive' })
      setError('root', { message })
    }
  })

  return (
    <form ref={useFocusFirstError(formState.submitCount)} method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      <EmailField autoComplete="username" error={errors.username?.message} {...register('username')} />
      <PasswordField label="Password" autoComplete="current-password" error={errors.password?.message} {...register('password')} />
      <FieldError id="login-error" error={errors.root?.message} />
      <Button type="submit" size="lg" wide busy={isSubmitting || isSubmitSuccessful}>
        Log in
      </Button>
      <p className="flex justify-between text-14">
        <Forgotten control={control} />
        <a className="link inline-flex min-h-11 items-center" href="/forgot-email">
          Forgot your email?
        </a>
      </p>
    </form>
  )
}
