import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { Login as Schema } from '../../../modules/accounts/contract.ts'
import { ApiError, call } from '../../client/api.ts'
import { checked } from '../../client/checked.ts'
import { setUser } from '../../client/session.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError, TextField } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password.tsx'
import { toast } from '../../ui/toast.ts'
import { sentence } from '../command.ts'
import { usePrefill } from './prefill.ts'
import { afterLogin, redirect, type Way, welcome } from './way.ts'

/** What is said when a login fails: only the server knows that the password is wrong. */
const refusal = (error: unknown) =>
  error instanceof ApiError && error.status < 500 && error.status !== 429
    ? 'Invalid username or password. Please try again.'
    : sentence(error)

export function Login({ way }: { way: Way }) {
  const { register, handleSubmit, formState, setValue, setError } = useForm<z.input<typeof Schema>>({ resolver: checked(Schema) })
  const { errors, isSubmitting, isSubmitSuccessful } = formState
  usePrefill(way.email, email => setValue('username', email))

  const submit = handleSubmit(async ({ username, password }) => {
    try {
      const user = await call('POST /api/login', { body: { username, password } })
      setUser(user)
      toast(welcome(user, way))
      redirect(afterLogin(user, way))
    } catch (error) {
      const message = refusal(error)
      toast({ title: 'Login failed', description: message, variant: 'destructive' })
      setError('root', { message })
    }
  })

  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        error={errors.username?.message}
        {...register('username')}
      />
      <PasswordField label="Password" autoComplete="current-password" error={errors.password?.message} {...register('password')} />
      <FieldError id="login-error" error={errors.root?.message} />
      <Button type="submit" size="lg" wide busy={isSubmitting || isSubmitSuccessful}>
        Log in
      </Button>
      <p className="flex justify-between text-14">
        <a className="link inline-flex min-h-11 items-center" href="/forgot-password">
          Forgot your password?
        </a>
        <a className="link inline-flex min-h-11 items-center" href="/forgot-email">
          Forgot your email?
        </a>
      </p>
    </form>
  )
}
