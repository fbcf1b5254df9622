import { Suspense, useState } from 'react'
import { EMAILED_LINK_MINUTES } from '../../../modules/accounts/policy.ts'
import { DELETION_GRACE_DAYS } from '../../../modules/privacy/policy.ts'
import type { Reply } from '../../client/api.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { removeQueryParams } from '../../client/remove-query-params.ts'
import { sendCommand } from '../../client/send-command.ts'
import { errorMessage, useCommand } from '../../client/use-command.ts'
import { site } from '../../site.ts'
import { Button } from '../../ui/button.tsx'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { CardError } from '../../ui/empty-and-error-states.tsx'
import { FormError } from '../../ui/field.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'

const DeleteChildAccountDialog = lazyWithRetry(() =>
  import('./DeleteChildAccountDialog.tsx').then(m => ({ default: m.DeleteChildAccountDialog })),
)

const CHILD_DELETION_QUERY = 'GET /api/family/children/{child}/deletion'
type Deletion = Reply<typeof CHILD_DELETION_QUERY>
interface Child {
  id: string
  firstName: string
}

const longDate = dateFormatter({ dateStyle: 'long' })
/** The token in the URL if the guardian opened the deletion link from a letter, otherwise null. */
const tokenInAddress = () => new URLSearchParams(location.search).get('delete')

const forgetToken = () => removeQueryParams('delete')

/**
 * Lets a guardian delete a child's account with a link from a letter, or cancel a deletion that is already scheduled. The guardian can also
 * confirm a deletion that the child scheduled, so that the child cannot cancel it.
 */
export function DeleteChildAccountSection({ child }: { child: Child }) {
  const { data, error, retry } = useQuery(CHILD_DELETION_QUERY, { params: { child: child.id } })
  return (
    <section aria-labelledby="delete-child">
      <h2 id="delete-child" className="mb-1 text-22">
        {data?.isClosed ? `${child.firstName}'s account is closed` : `Delete ${child.firstName}'s account`}
      </h2>
      {error && !data ? (
        <CardError error={errorMessage(error)} retry={retry} />
      ) : !data ? (
        <LoadingRegion>
          <Skeleton className="h-20 w-full" />
        </LoadingRegion>
      ) : (
        <>
          {data.due && <DueDeletion child={child} due={data.due} isClosed={data.isClosed} />}
          {!data.byGuardian && !data.isClosed && <OfferedDeletion child={child} deletion={data} />}
        </>
      )}
    </section>
  )
}

function DueDeletion({ child: { id, firstName }, due, isClosed }: { child: Child; due: string; isClosed: boolean }) {
  const command = useCommand()
  async function keep() {
    if (!(await command.run(() => sendCommand('POST /api/family/children/{child}/deletion/cancel', { params: { child: id } })))) return
    refetchQueries(CHILD_DELETION_QUERY)
    toast({ title: `Deletion of ${firstName}'s account canceled`, description: 'Nothing was deleted.' })
  }
  if (isClosed)
    return (
      <p className="max-w-measure" role="status">
        <strong>
          We closed {firstName}'s account, and will delete it on {longDate(new Date(due))}.
        </strong>{' '}
        Our email to you says why. If you think this is a mistake, write to {site.supportEmail}.
      </p>
    )
  return (
    <>
      <p className="mb-4 max-w-measure" role="status">
        <strong>
          {firstName}'s account will be deleted on {longDate(new Date(due))}.
        </strong>{' '}
        Until then nothing is lost, and nothing new can be assigned or bought.
      </p>
      <Button busy={command.busy} onClick={keep}>
        Keep the account
      </Button>
      <FormError>{command.message}</FormError>
    </>
  )
}

function OfferedDeletion({ child, deletion: { due, obstacle, unusedSessions } }: { child: Child; deletion: Deletion }) {
  const { id, firstName } = child
  const [token, setToken] = useState(tokenInAddress)
  const [isSent, setSent] = useState(false)
  const command = useCommand()
  const send = async () =>
    setSent(await command.run(() => sendCommand('POST /api/family/children/{child}/deletion/link', { params: { child: id } })))
  const close = () => {
    forgetToken()
    setToken(null)
  }
  return (
    <>
      {due ? (
        <p className="mt-6 mb-4 max-w-measure text-ink-2">
          {firstName} asked for this and can still keep the account. Once you confirm it, only you can keep it. You log in here without a
          password, so we will email you a link to confirm it.
        </p>
      ) : (
        <p className="mb-4 max-w-measure text-ink-2">
          {firstName}'s name, contact details, videos and everything {firstName} wrote are deleted {DELETION_GRACE_DAYS} days after you ask
          for it. Until then you can change your mind. You log in here without a password, so we will email you a link to confirm it.
        </p>
      )}
      {obstacle && <p className="mb-4 max-w-measure font-medium">Not possible right now. {obstacle}</p>}
      {isSent ? (
        <p className="max-w-measure" role="status">
          <strong>We emailed you a link.</strong> It works once, for {EMAILED_LINK_MINUTES['child-deletion']} minutes. Nothing is deleted
          until you open it and confirm.
        </p>
      ) : (
        <Button variant="secondary" disabled={obstacle !== null} busy={command.busy} onClick={send}>
          Email me the link
        </Button>
      )}
      <FormError>{command.message}</FormError>
      <Suspense fallback={null}>
        {token && !obstacle && <DeleteChildAccountDialog {...{ child, token, due, unusedSessions }} onClose={close} />}
      </Suspense>
    </>
  )
}
