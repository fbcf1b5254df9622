import { ForgotEmail as Schema } from '../../../modules/accounts/contract.ts'
import { NameFields } from '../../accounts/fields.tsx'
import { useSmallForm } from '../../accounts/form.ts'
import { Sent } from '../../accounts/Sent.tsx'
import { call } from '../../client/api.ts'
import { useReportHydrated } from '../../client/report-hydrated.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'

/** Finds an account by phone and name, and writes to its address; says the same whether or not there is one. */
export default function ForgotEmail() {
  const root = useReportHydrated<HTMLDivElement>()
  const { ref, register, submit, errors, busy, done } = useSmallForm(Schema, body => call('POST /api/recovery/email', { body }))
  return (
    <div ref={root}>
      {done ? (
        <Sent title="Look in your inboxes">
          If an account has that phone number and name, we have just written to its address. The inbox with our letter is the one you
          registered with.
        </Sent>
      ) : (
        <form ref={ref} method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
          <p className="text-ink-2">Tell us your phone number and name as you registered them. We write to the address of that account.</p>
          <TextField label="Phone" type="tel" inputMode="tel" autoComplete="tel" error={errors.phone?.message} {...register('phone')} />
          <NameFields {...{ register, errors }} />
          <Button type="submit" size="lg" wide busy={busy}>
            Find my account
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
