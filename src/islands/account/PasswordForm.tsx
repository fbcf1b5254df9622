import { PasswordChange } from '../../../modules/accounts/contract.ts'
import { NewPasswordField } from '../../accounts/account-fields.tsx'
import { useValidatedForm } from '../../accounts/validated-form.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.ts'

const longDate = dateFormatter({ dateStyle: 'long' })

/** Changes the password after asking for the current one. `changed`: when it was last changed, or null if unknown. */
export function PasswordForm({ email, changed }: { email: string; changed: string | null }) {
  const form = useValidatedForm(
    PasswordChange,
    async body => {
      await sendCommand('POST /api/account/password', { body })
      form.reset({ presentPassword: '', password: '' })
      refetchQueries('GET /api/account', 'GET /api/sessions')
      toast({ title: 'Password changed', description: 'You were signed out everywhere else.' })
    },
    { defaultValues: { presentPassword: '', password: '' }, failed: 'Your password was not changed' },
  )
  return (
    <section aria-labelledby="password">
      <h2 id="password" className="mb-1 text-22">
        Password
      </h2>
      <p className="mb-4 max-w-measure text-ink-2">
        A new password signs you out everywhere else.{changed && ` You last changed it on ${longDate(new Date(changed))}.`}
      </p>
      <Card>
        <form ref={form.ref} noValidate onSubmit={form.submit} className="flex flex-col items-start gap-4">
          {/* Password managers store the new password under this email. */}
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <div className="grid w-full gap-4 sm:grid-cols-2">
            <PasswordField
              label="Current password"
              autoComplete="current-password"
              error={form.errors.presentPassword?.message}
              {...form.register('presentPassword')}
            />
            <NewPasswordField label="New password" error={form.errors.password?.message} {...form.register('password')} />
          </div>
          <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
            <Button type="submit" variant="secondary" busy={form.busy}>
              Change password
            </Button>
            <a className="link inline-flex min-h-11 items-center" href={`/forgot-password?email=${encodeURIComponent(email)}`}>
              Forgot your password?
            </a>
          </div>
        </form>
      </Card>
    </section>
  )
}
