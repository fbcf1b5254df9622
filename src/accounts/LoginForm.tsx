import { type Control, useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { LoginInput as Schema } from '../../modules/accounts/contract.ts'
import { ApiError, callApi } from '../client/api.ts'
import { signInWithRequest } from '../client/login-session.ts'
import { errorMessage } from '../client/use-command.ts'
import { zodFormResolver } from '../client/zod-form-resolver.ts'
import { currentInviteCode } from '../instructors/current-invite-code.ts'
import { Button } from '../ui/button.tsx'
import { EmailField, FieldError } from '../ui/field.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { toast } from '../ui/toast.ts'
import { useFocusFirstError } from '../ui/use-focus-first-error.ts'
import { type AuthFormValues, useKeepAuthFormValuesInMemory, usePrefillEmailFromUrl } from './keep-typed-auth-values.ts'
import { loginSuccessToast } from './login-and-registration-toasts.ts'
import type { AuthUrlParams } from './parse-auth-page-query.ts'
import { inviteOrDashboardPathAfterLogin, redirectAfterToast } from './redirect-after-auth.ts'

/**
 * The message for a failed login. It blames the username or password only if the server rejected them, not if the server failed, could not
 * be reached or had received too many attempts, or if the account is closed.
 */
const loginErrorMessage = (error: unknown) =>
  error instanceof ApiError && error.status < 500 && error.status !== 429 && error.code !== 'account-closed'
    ? 'Invalid username or password. Please try again.'
    : errorMessage(error)

type LoginValues = z.input<typeof Schema>

/** The link to the password reset page. It passes on the email, so that nobody has to type it again. */
function ForgotPasswordLink({ control }: { control: Control<LoginValues> }) {
  const email = useWatch({ control, name: 'username' })?.trim()
  return (
    <a className="link inline-flex min-h-11 items-center" href={`/forgot-password${email ? `?email=${encodeURIComponent(email)}` : ''}`}>
      Forgot your password?
    </a>
  )
}

export function LoginForm({ query, typed }: { query: AuthUrlParams; typed: AuthFormValues }) {
  const form = useForm<LoginValues>({
    resolver: zodFormResolver(Schema),
    shouldFocusError: false,
    defaultValues: { username: typed.email },
  })
  const { register, handleSubmit, formState, setValue, setError, control } = form
  const { errors, isSubmitting, isSubmitSuccessful } = formState
  useKeepAuthFormValuesInMemory(form, ({ username }) => Object.assign(typed, { email: username }))
  usePrefillEmailFromUrl(query.email, typed, email => setValue('username', email))

  const submit = handleSubmit(async ({ username, password }) => {
    try {
      const user = await signInWithRequest(() => callApi('POST /api/login', { body: { username, password } }))
      toast({ ...loginSuccessToast(user, query), onward: true })
      // A visitor who follows an invitation may already have an account and log in. The invite code is then in sessionStorage, not in the
      // URL.
      redirectAfterToast(inviteOrDashboardPathAfterLogin(user, { ...query, invite: currentInviteCode() }))
    } catch (error) {
      const message = loginErrorMessage(error)
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
        <ForgotPasswordLink control={control} />
        <a className="link inline-flex min-h-11 items-center" href="/forgot-email">
          Forgot your email?
        </a>
      </p>
    </form>
  )
}
