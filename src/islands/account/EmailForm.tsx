import { EmailChangeInput, type OwnAccount } from '../../../modules/accounts/contract.ts'
import { SupportLink, UndeliverableEmailNotice } from '../../accounts/UndeliverableEmailNotice.tsx'
import { useValidatedForm } from '../../accounts/validated-form.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField, FormError } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.ts'
import { CredentialFormSection } from './CredentialFormSection.tsx'

/** Shows the account's email and changes it; the new address takes effect once its owner has confirmed it. */
export function EmailForm({ account }: { account: OwnAccount }) {
  const form = useValidatedForm(
    EmailChangeInput,
    async body => {
      await sendCommand('POST /api/account/email', { body })
      form.reset({ email: '', presentPassword: '' })
      refetchQueries('GET /api/account')
    },
    { defaultValues: { email: '', presentPassword: '' }, failed: 'Your email was not changed' },
  )
  return (
    <CredentialFormSection
      id="email"
      title="Email"
      about={
        <>
          You log in with <strong className="font-medium wrap-anywhere text-ink">{account.email}</strong>, and our emails go there. A new
          address takes effect once you open the link we send to it.
        </>
      }
      above={
        <>
          {account.undeliverable && (
            <UndeliverableEmailNotice title={`Our emails are not reaching ${account.email}`} className="mb-5">
              Enter another one below. If the address is right, <SupportLink />.
            </UndeliverableEmailNotice>
          )}
          {account.pendingEmail && <PendingEmail email={account.pendingEmail} />}
        </>
      }
      form={form}
      submitLabel="Send the link"
    >
      <EmailField label="New email" autoComplete="off" error={form.errors.email?.message} {...form.register('email')} />
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        error={form.errors.presentPassword?.message}
        {...form.register('presentPassword')}
      />
    </CredentialFormSection>
  )
}

function PendingEmail({ email }: { email: string }) {
  const command = useCommand()
  async function cancel() {
    if (!(await command.run(() => sendCommand('DELETE /api/account/email', undefined)))) return
    refetchQueries('GET /api/account')
    toast({ title: 'Your email has not changed' })
  }
  return (
    <div className="mb-5 flex flex-col items-start gap-3 border-line border-b pb-5">
      <p role="status" className="max-w-measure">
        We sent a link to <strong className="font-medium wrap-anywhere">{email}</strong>. Open it within a day; from then on, you log in
        with that address.
      </p>
      <Button variant="secondary" busy={command.busy} onClick={cancel}>
        Keep the current email
      </Button>
      <FormError>{command.message}</FormError>
    </div>
  )
}
