import { useEffect } from 'react'
import { ForgotPasswordInput as Schema } from '../../../modules/accounts/contract.ts'
import { EmailSentNotice } from '../../accounts/EmailSentNotice.tsx'
import { RecoveryForm } from '../../accounts/RecoveryForm.tsx'
import { useValidatedForm } from '../../accounts/validated-form.ts'
import { callApi } from '../../client/api.ts'
import { EmailField } from '../../ui/field.tsx'

/** Requests a password reset link. The response is always the same, so that it does not reveal whether the account exists. */
export default function ForgotPassword() {
  const form = useValidatedForm(Schema, body => callApi('POST /api/recovery/password', { body }))
  const { register, errors, setValue } = form
  // The login page links here with the email that was typed there.
  useEffect(() => {
    const email = new URLSearchParams(location.search).get('email')
    if (email) setValue('email', email)
  }, [setValue])
  return (
    <RecoveryForm
      form={form}
      about="Enter your account’s email, and we will send you a link to choose a new password."
      submitLabel="Send the link"
      sent={
        <EmailSentNotice>
          If there is an account with that address, a link to choose a new password is on its way. It works for an hour.
        </EmailSentNotice>
      }
    >
      <EmailField autoComplete="username" error={errors.email?.message} {...register('email')} />
    </RecoveryForm>
  )
}
