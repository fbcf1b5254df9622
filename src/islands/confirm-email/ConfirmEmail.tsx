import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { useSignalHydration } from '../../page-load/signal-hydration.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FormError } from '../../ui/field.tsx'

/** Confirms an email address when a button is pressed, because mail scanners open links by themselves and must not confirm anything. */
export default function ConfirmEmail() {
  const root = useSignalHydration<HTMLDivElement>()
  const [confirmed, setConfirmed] = useState(false)
  const command = useCommand()
  const confirm = async () => {
    const done = await command.run(() => {
      const token = new URLSearchParams(location.search).get('token')
      if (!token) throw new Error('This link is incomplete. Open it again from the email, or ask for a new one.')
      return sendCommand('POST /api/email-confirmation/{token}', { params: { token } })
    })
    if (done) setConfirmed(true)
  }
  return (
    <div ref={root} className="flex flex-col gap-4">
      {confirmed ? (
        <>
          <p role="status" className="flex gap-2 font-medium text-field">
            <CircleCheck aria-hidden="true" size={24} strokeWidth={1.75} className="shrink-0" />
            Your email is confirmed. Next, we will review your profile and email you when it is approved.
          </p>
          <ButtonLink href="/instructor/dashboard" size="lg">
            Go to your dashboard
          </ButtonLink>
        </>
      ) : (
        <>
          <p className="text-ink-2">This way we know that emails about your players reach you.</p>
          <Button size="lg" wide busy={command.busy} onClick={confirm}>
            Confirm my email
          </Button>
          <FormError>{command.message}</FormError>
        </>
      )}
    </div>
  )
}
