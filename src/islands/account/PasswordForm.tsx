import { PasswordChangeInput } from '../../../modules/accounts/contract.ts'
import { NewPasswordField } from '../../accounts/name-and-new-password-fields.tsx'
import { useValidatedForm } from '../../accounts/validated-form.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.ts'
import { CredentialFormSection } from './CredentialFormSection.tsx'

const longDate = dateFormatter({ dateStyle: 'long' })

/** Changes the password after asking for the current one. `changed`: when it was last changed, or null if unknown. */
export function PasswordForm({ email, changed }: { email: string; changed: string | null }) {
  const form = useValidatedForm(
    PasswordChangeInput,
    async body => {
      await sendCommand('POST /api/account/password', { body })
      form.reset({ presentPassword: '', password: '' })
      refetchQueries('GET /api/account', 'GET /api/sessions')
      toast({ title: 'Password changed', description: 'You were logged out everywhere else.' })
    },
    { defaultValues: { presentPassword: '', password: '' }, failed: 'Your password was not changed' },
  )
  return (
    <CredentialFormSection
      id="password"
      title="Password"
      about={`A new password logs you out everywhere else.${changed ? ` You last changed it on ${longDate(new Date(changed))}.` : ''}`}
      form={form}
      submitLabel="Change password"
      beside={
        <a className="link inline-flex min-h-11 items-center" href={`/forgot-password?email=${encodeURIComponent(email)}`}>
          Forgot your password?
        </a>
      }
    >
      {/* Password managers store the new password under this email. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        error={form.errors.presentPassword?.message}
        {...form.register('presentPassword')}
      />
      <NewPasswordField label="New password" error={form.errors.password?.message} {...form.register('password')} />
    </CredentialFormSection>
  )
}
