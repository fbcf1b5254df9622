import { useState } from 'react'
import type { Reply } from '../../client/api.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { site } from '../../site.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FieldError } from '../../ui/field.tsx'

type Vetting = Reply<'GET /api/profile'>['vetting']

const texts: Record<Exclude<Vetting['status'], 'approved'>, [title: string, about: string]> = {
  pending: [
    'We are reviewing your profile',
    'Until we approve you, players can find you only through your invite link, and those under 18 cannot send you folders. In the meantime, finish your profile, set up payouts and invite your players. We will email you once you are approved.',
  ],
  suspended: ['Your account is suspended', 'No player can send you folders. Feedback you already delivered stays yours.'],
  declined: ['We could not approve you', 'No player can send you folders.'],
}

/** Tells unapproved instructors their vetting status, and asks pending ones to confirm their email; renders nothing for approved ones. */
export function VettingStatusCard({ vetting }: { vetting: Vetting | undefined }) {
  const [sent, setSent] = useState(false)
  const command = useCommand()
  if (!vetting || vetting.status === 'approved') return null
  const [title, about] = texts[vetting.status]
  const needsEmail = vetting.status === 'pending' && !vetting.emailConfirmed
  const send = async () => setSent(await command.run(() => sendCommand('POST /api/profile/email-confirmation', {})))
  return (
    <Card className="mb-8 flex flex-col gap-3 border-clay!">
      <h2 className="text-18">{title}</h2>
      {vetting.reason && <p className="max-w-measure border-l-2 border-clay pl-4 wrap-anywhere whitespace-pre-line">{vetting.reason}</p>}
      <p className="max-w-measure text-ink-2">
        {about} {vetting.status !== 'pending' && `If we got something wrong, write to ${site.supportEmail}.`}
      </p>
      {needsEmail && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button variant="clay" busy={command.busy} onClick={send}>
            Send the confirmation email again
          </Button>
          <p role="status" className="text-14 text-ink-2">
            {sent ? 'Sent. Open the link in the email.' : 'Next: open the link in our email to confirm your address.'}
          </p>
          <FieldError id="confirmation-error" error={command.message} />
        </div>
      )}
    </Card>
  )
}
