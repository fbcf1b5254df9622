import { Suspense, useState } from 'react'
import { DELETION_GRACE_DAYS } from '../../../modules/privacy/policy.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { errorMessage, useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { CardError } from '../../ui/empty-and-error-states.tsx'
import { FormError } from '../../ui/field.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useScrollToHash } from '../../ui/use-scroll-to-hash.ts'

const longDate = dateFormatter({ dateStyle: 'long' })
/** The query that tells whether the account can be deleted, and whether its deletion is scheduled. */
export const ACCOUNT_DELETION_QUERY = 'GET /api/account/deletion'
const DeleteAccountDialog = lazyWithRetry(() => import('./DeleteAccountDialog.tsx').then(m => ({ default: m.DeleteAccountDialog })))

/** Schedules the deletion of the account, or cancels it, unless a guardian has scheduled it. */
export function DeleteAccountSection() {
  const { data, error, retry } = useQuery(ACCOUNT_DELETION_QUERY)
  return (
    <section ref={useScrollToHash('delete-account')} aria-labelledby="delete-account">
      <h2 id="delete-account" className="mb-1 text-22">
        Delete your account
      </h2>
      {error ? (
        <CardError error={errorMessage(error)} retry={retry} />
      ) : !data ? (
        <LoadingRegion>
          <Skeleton className="h-20 w-full" />
        </LoadingRegion>
      ) : data.due ? (
        <DueDeletion due={data.due} byGuardian={data.byGuardian} />
      ) : (
        <OfferedDeletion {...data} />
      )}
    </section>
  )
}

function DueDeletion({ due, byGuardian }: { due: string; byGuardian: boolean }) {
  const command = useCommand()
  async function keep() {
    if (!(await command.run(() => sendCommand('POST /api/account/deletion/cancel', {})))) return
    refetchQueries(ACCOUNT_DELETION_QUERY)
    toast({ title: 'Deletion canceled', description: 'Nothing was deleted.' })
  }
  return (
    <>
      <p className="mb-4 max-w-measure" role="status">
        <strong>Your account will be deleted on {longDate(new Date(due))}.</strong> Until then nothing is lost, and nothing new can be
        assigned or bought.
        {byGuardian && ' Your parent or guardian asked for this, and only they can keep your account, on their family page.'}
      </p>
      {!byGuardian && (
        <Button busy={command.busy} onClick={keep}>
          Keep my account
        </Button>
      )}
      <FormError>{command.message}</FormError>
    </>
  )
}

function OfferedDeletion({
  obstacle,
  unusedSessions,
  openSessions,
}: {
  obstacle: string | null
  unusedSessions: number
  openSessions: number
}) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <p className="mb-4 max-w-measure text-ink-2">
        Your name, contact details, videos and everything you wrote are deleted {DELETION_GRACE_DAYS} days after you ask for it. Until then
        you can change your mind.
      </p>
      {obstacle && <p className="mb-4 max-w-measure font-medium">Not possible right now. {obstacle}</p>}
      <Button variant="secondary" disabled={obstacle !== null} onClick={() => setIsAsking(true)}>
        Delete my account
      </Button>
      <Suspense fallback={null}>
        {isAsking && <DeleteAccountDialog {...{ unusedSessions, openSessions }} onClose={() => setIsAsking(false)} />}
      </Suspense>
    </>
  )
}
