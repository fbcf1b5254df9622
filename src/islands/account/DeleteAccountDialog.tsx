import { type FormEvent, useId, useState } from 'react'
import { DELETION_DAYS } from '../../../modules/privacy/policy.ts'
import { ApiError } from '../../client/api.ts'
import { useCommand } from '../../client/command.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'

const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`

/** Says what is deleted and what is retained, and asks for the password. */
export function DeleteAccountDialog(p: { unusedSessions: number; openSessions: number; onClose: () => void }) {
  const { unusedSessions, openSessions, onClose } = p
  const form = useId()
  const command = useCommand()
  const [password, setPassword] = useState('')
  const wrong = command.error instanceof ApiError ? command.error.fields?.password : undefined
  async function submit(e: FormEvent) {
    e.preventDefault()
    if (!(await command.run(() => sendCommand('POST /api/account/deletion', { body: { password } })))) return
    refetchQueries('GET /api/account/deletion')
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Delete your account?"
      about={`It is deleted in ${DELETION_DAYS} days. To keep it, sign in before then and press “Keep my account”.`}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Keep my account
          </Button>
          <Button variant="danger" type="submit" form={form} busy={command.busy}>
            Delete my account
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <div>
          <h3 className="text-16">What is deleted</h3>
          <ul className="list-disc pl-5 text-ink-2">
            <li>your name, email, phone number, picture and password</li>
            <li>your folders: videos, messages, and the feedback on them</li>
            <li>your support requests, and the devices where you are signed in</li>
            {unusedSessions > 0 && <li>{count(unusedSessions, 'session')} that you bought and have not used</li>}
            {openSessions > 0 && <li>{count(openSessions, 'open session')}: the folders go back to their players now</li>}
          </ul>
        </div>
        <div>
          <h3 className="text-16">What we keep</h3>
          <ul className="list-disc pl-5 text-ink-2">
            <li>amounts and dates of payments, without your name, as tax law requires</li>
            <li>feedback you gave as an instructor: the players who paid for it keep it</li>
            <li>emails that others have received</li>
          </ul>
        </div>
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          required
          value={password}
          onChange={e => setPassword(e.target.value)}
          error={wrong}
        />
        <FormError>{!wrong && command.message}</FormError>
      </form>
    </Dialog>
  )
}
