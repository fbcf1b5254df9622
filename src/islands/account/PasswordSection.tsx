import { useState } from 'react'
import { call } from '../../client/api.ts'
import { useCommand } from '../../client/command.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/field.tsx'

/** Emails a link to choose a new password to the account's own address. */
export function PasswordSection({ email }: { email: string }) {
  const command = useCommand()
  const [sent, setSent] = useState(false)
  const send = () => command.run(() => call('POST /api/recovery/password', { body: { email } })).then(setSent)
  return (
    <section aria-labelledby="password">
      <h2 id="password" className="mb-1 text-22">
        Password
      </h2>
      <p className="mb-4 max-w-measure text-ink-2" role="status">
        {sent
          ? `Check your inbox: a link to choose a new password is on its way to ${email}. It works for an hour.`
          : `We email a link to ${email}. Choosing a new password signs you out everywhere.`}
      </p>
      <Button variant="secondary" busy={command.busy} onClick={send}>
        {sent ? 'Send it again' : 'Send me the link'}
      </Button>
      <FormError>{command.message}</FormError>
    </section>
  )
}
