import { CircleCheck, Send } from 'lucide-react'
import { useState } from 'react'
import { EMAILED_LINK_MINUTES } from '../../../modules/accounts/policy.ts'
import { ApiError } from '../../client/api.ts'
import { usePersistentForm } from '../../client/persistent-form.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmailField } from '../../ui/field.tsx'

const DAYS = EMAILED_LINK_MINUTES['admin-invitation'] / 60 / 24
const wrong = 'Invalid email address'

/** Emails an invitation to another administrator; after the first administrator, this is the only way to become one. */
export function InviteAdminForm() {
  const form = usePersistentForm('invite-admin', { email: '' })
  const command = useCommand()
  const [sent, setSent] = useState<string>()
  const refused = command.error instanceof ApiError ? command.error.fields.email : undefined
  const submit = form.handleSubmit(async ({ email }) => {
    setSent(undefined)
    const done = await command.run(() => sendCommand('POST /api/admin/invitations', { body: { email: email.trim() } }))
    if (!done) return
    setSent(email.trim())
    form.forget()
  })
  return (
    <Card className="p-4!">
      <form onSubmit={submit} noValidate aria-labelledby="invite-admin" className="flex flex-col gap-3">
        <h2 id="invite-admin" className="text-16">
          Invite an administrator
        </h2>
        <div className="flex flex-wrap items-start gap-3">
          <EmailField
            label="Their email"
            autoComplete="off"
            error={form.formState.errors.email?.message ?? refused ?? command.message}
            className="min-w-[min(12rem,100%)] flex-1"
            {...form.register('email', { required: wrong, pattern: { value: /^\s*\S+@\S+\.\S+\s*$/, message: wrong } })}
          />
          {/* The field has its label above, so the margin aligns the button with the field itself. */}
          <Button
            type="submit"
            variant="secondary"
            busy={command.busy}
            icon={<Send aria-hidden="true" size={18} strokeWidth={1.75} />}
            className="mt-6.5"
          >
            Send
          </Button>
        </div>
        <p role="status" className="text-14 text-ink-2">
          {sent ? (
            <span className="flex gap-2 font-medium text-field">
              <CircleCheck aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0" />
              <span className="wrap-anywhere">Sent to {sent}.</span>
            </span>
          ) : (
            `The link in the email works once, within ${DAYS} days.`
          )}
        </p>
      </form>
    </Card>
  )
}
