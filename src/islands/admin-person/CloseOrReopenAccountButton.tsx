import { Suspense, useState } from 'react'
import type { AdminPerson } from '../../../modules/admin-person/contract.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/field.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { toast } from '../../ui/toast.ts'

const CloseAccountDialog = lazyWithRetry(() => import('./CloseAccountDialog.tsx').then(m => ({ default: m.CloseAccountDialog })))

export const CloseOrReopenAccountButton = ({ person }: { person: AdminPerson }) =>
  person.closingReason === null ? <CloseAccount person={person} /> : <ReopenAccount person={person} />

function CloseAccount({ person }: { person: AdminPerson }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
        Close the account
      </Button>
      {isAsking && (
        <Suspense fallback={null}>
          <CloseAccountDialog person={person} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}

function ReopenAccount({ person: { id, name } }: { person: AdminPerson }) {
  const { run, busy, message } = useCommand()
  async function reopen() {
    const done = await run(() => sendCommand('POST /api/admin/people/{person}/reopen', { params: { person: id } }))
    await refetchQueries('GET /api/admin/people/{person}', 'GET /api/admin/events')
    if (done) toast({ title: 'Account open again', description: `We emailed ${name}.` })
  }
  return (
    <>
      <Button variant="secondary" size="sm" busy={busy} onClick={reopen}>
        Open the account again
      </Button>
      <FormError>{message}</FormError>
    </>
  )
}
