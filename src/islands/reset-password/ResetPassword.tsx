import { PasswordReset as Schema } from '../../../modules/accounts/contract.ts'
import { NewPasswordField } from '../../accounts/name-and-new-password-fields.tsx'
import { redirectAfterToast } from '../../accounts/redirect-after-auth.ts'
import { useValidatedForm } from '../../accounts/validated-form.ts'
import { setUser } from '../../client/login-session.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useSignalHydration } from '../../page-load/signal-hydration.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'

const schema = Schema.pick({ password: true })

/** Sets a new password with the single-use link from the email; the server then ends every login session of the account. */
export default function ResetPassword() {
  const root = useSignalHydration<HTMLDivElement>()
  const { ref, register, submit, errors, busy, done } = useValidatedForm(
    schema,
    async ({ password }) => {
      const token = new URLSearchParams(location.search).get('token')
      if (!token) throw new Error('This link is incomplete. Open it again from the email, or ask for a new one.')
      await sendCommand('POST /api/recovery/reset', { body: { token, password } })
      setUser(null)
      toast({ title: 'Password changed', description: 'Log in with your new password.', onward: true })
      redirectAfterToast('/auth')
    },
    { failed: 'The password was not changed' },
  )
  return (
    <div ref={root}>
      <form ref={ref} method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-ink-2">You will be logged out everywhere else.</p>
        <NewPasswordField label="New password" error={errors.password?.message} {...register('password')} />
        <Button type="submit" size="lg" wide busy={busy || done}>
          Save password
        </Button>
        <p className="text-14">
          <a className="link inline-flex min-h-11 items-center" href="/forgot-password">
            Ask for a new link
          </a>
        </p>
      </form>
    </div>
  )
}
