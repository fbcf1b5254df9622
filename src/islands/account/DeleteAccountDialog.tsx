import { type FormEvent, useId, useState } from 'react'
import { DELETION_GRACE_DAYS } from '../../../modules/privacy/policy.ts'
import { DeletionConsequences } from '../../accounts/DeletionConsequences.tsx'
import { ApiError } from '../../client/api.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'

/** Says what is deleted and what is retained, asks for the password, and schedules the deletion. */
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
      about={`It will be deleted in ${DELETION_GRACE_DAYS} days. To keep it, log in before then and press “Keep my account.”`}
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
        <DeletionConsequences {...{ unusedSessions, openSessions }} />
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
