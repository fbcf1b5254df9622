import { AdminRegistration as Schema } from '../../../modules/accounts/contract.ts'
import { NameFields, NewPasswordField } from '../../accounts/name-and-new-password-fields.tsx'
import { redirectAfterToast } from '../../accounts/redirect-after-auth.ts'
import { useRegistrationIdempotencyKey } from '../../accounts/registration-idempotency-key.ts'
import { useValidatedForm } from '../../accounts/validated-form.ts'
import { callApi, errorMessageSentByServer } from '../../client/api.ts'
import { signInWithRequest } from '../../client/login-session.ts'
import { retryWhenBusy } from '../../client/retry-when-busy.ts'
import { useSignalHydration } from '../../page-load/signal-hydration.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'

/**
 * Registers an administrator with the token in the URL, which comes from an invitation or from the setup link that the server prints.
 */
export default function AdminRegister() {
  const root = useSignalHydration<HTMLDivElement>()
  const keyOf = useRegistrationIdempotencyKey()
  const { ref, register, submit, errors, busy, done } = useValidatedForm(
    Schema,
    async form => {
      const token = new URLSearchParams(location.search).get('token') ?? undefined
      const body = { ...form, username: form.email, token }
      try {
        await signInWithRequest(() => retryWhenBusy(() => callApi('POST /api/register/admin', { body }, { idempotencyKey: keyOf(form) })))
      } catch (error) {
        if (!errorMessageSentByServer(error)) throw new Error('An error occurred during admin registration')
        throw error
      }
      toast({ title: 'Admin Registration Successful', description: 'Your administrator account has been created!', onward: true })
      redirectAfterToast('/admin/dashboard')
    },
    { failed: 'Admin Registration Failed' },
  )
  return (
    <div ref={root}>
      <form ref={ref} method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-ink-2">The first administrator registers with the server's setup link. Everyone else needs an invitation.</p>
        <NameFields {...{ register, errors }} />
        <EmailField error={errors.email?.message} {...register('email')} />
        <NewPasswordField error={errors.password?.message} {...register('password')} />
        <Button type="submit" size="lg" wide busy={busy || done}>
          Create administrator account
        </Button>
      </form>
    </div>
  )
}
