import { useEffect } from 'react'
import { ForgotPassword as Schema } from '../../../modules/accounts/contract.ts'
import { useSmallForm } from '../../accounts/form.ts'
import { Sent } from '../../accounts/Sent.tsx'
import { call } from '../../client/api.ts'
import { useReportHydrated } from '../../client/report-hydrated.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/field.tsx'

/** Asks for a link to choose a new password; says the same whether or not there is such an account. */
export default function ForgotPassword() {
  const root = useReportHydrated<HTMLDivElement>()
  const { ref, register, submit, errors, busy, done, setValue } = useSmallForm(Schema, body =>
    call('POST /api/recovery/password', { body }),
  )
  // The login hands on what was typed there.
  useEffect(() => {
    const email = new URLSearchParams(location.search).get('email')
    if (email) setValue('email', email)
  }, [setValue])
  return (
    <div ref={root}>
      {done ? (
        <Sent>If there is an account with that address, a link to choose a new password is on its way. It works for an hour.</Sent>
      ) : (
        <form ref={ref} method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
          <p className="text-ink-2">Enter the email of your account, and we send you a link to choose a new one.</p>
          <EmailField autoComplete="username" error={errors.email?.message} {...register('email')} />
          <Button type="submit" size="lg" wide busy={busy}>
            Send the link
          </Button>
          <p className="text-14">
            <a className="link inline-flex min-h-11 items-center" href="/auth">
              Back to login
            </a>
          </p>
        </form>
      )}
    </div>
  )
}
