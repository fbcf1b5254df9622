import { ForgotEmailInput as Schema } from '../../../modules/accounts/contract.ts'
import { EmailSentNotice } from '../../accounts/EmailSentNotice.tsx'
import { NameFields } from '../../accounts/name-and-new-password-fields.tsx'
import { RecoveryForm } from '../../accounts/RecoveryForm.tsx'
import { useValidatedForm } from '../../accounts/validated-form.ts'
import { callApi } from '../../client/api.ts'
import { TextField } from '../../ui/field.tsx'

/** Sends an email to the account with this phone number and name. The response is always the same, so that it reveals no account. */
export default function ForgotEmail() {
  const form = useValidatedForm(Schema, body => callApi('POST /api/recovery/email', { body }))
  const { register, errors } = form
  return (
    <RecoveryForm
      form={form}
      about="Enter the phone number and name you registered with. We will send an email to that account’s address."
      submitLabel="Find my account"
      sent={
        <EmailSentNotice title="Check your inboxes">
          If there is an account with that phone number and name, we just sent it an email. The inbox where you find it is the one you
          registered with.
        </EmailSentNotice>
      }
    >
      <TextField label="Phone" type="tel" inputMode="tel" autoComplete="tel" error={errors.phone?.message} {...register('phone')} />
      <NameFields {...{ register, errors }} />
    </RecoveryForm>
  )
}
