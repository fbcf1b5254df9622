import { useState } from 'react'
import type { SupportRequestStatus } from '../../../modules/support/contract.ts'
import { personPagePath } from '../../administration/admin-urls.ts'
import { ProtectedAdminPage } from '../../administration/ProtectedAdminPage.tsx'
import { supportRequestStatusBadges } from '../../administration/support-request-status-badges.ts'
import { callApi, type Reply } from '../../client/api.ts'
import { usePersistentForm } from '../../client/persistent-form.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { errorMessage, useCommand } from '../../client/use-command.ts'
import { useMorePages } from '../../client/use-more-pages.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { capitalize } from '../../ui/capitalize.ts'
import { EmptyState, ErrorState } from '../../ui/empty-and-error-states.tsx'
import { FormError, TextArea } from '../../ui/field.tsx'
import { LoadMoreFooter } from '../../ui/load-more-footer.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.ts'

type SupportRequest = Reply<'GET /api/admin/support'>['requests'][number]
const MAX_ANSWER_LENGTH = 5000

const priorities: Record<SupportRequest['priority'], [string, BadgeTone]> = {
  low: ['Low', 'ink'],
  medium: ['Medium', 'ink'],
  high: ['High', 'gold'],
  critical: ['Critical', 'red'],
}

function AnswerForm({ request, onDone }: { request: SupportRequest; onDone: () => void }) {
  const form = usePersistentForm(`support:${request.id}`, { answer: '' })
  const command = useCommand()
  const submit = form.handleSubmit(async ({ answer }) => {
    const done = await command.run(async () => {
      await sendCommand('POST /api/admin/support/{request}/answer', { params: { request: request.id }, body: { answer } })
      await refetchQueries('GET /api/admin/support')
    })
    if (!done) return
    form.forget()
    toast({ title: 'Answered', description: `We emailed ${request.by?.name ?? 'them'}.` })
    onDone()
  })
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <TextArea
        label={request.answer ? 'Another answer' : 'Answer'}
        hint={
          request.bySystem
            ? `Sent by email to ${request.by?.name ?? 'the person whom this concerns'}, who did not write this request.`
            : 'Sent by email, and shown with their request in the chat.'
        }
        autoFocus
        error={form.formState.errors.answer?.message ?? command.message}
        {...form.register('answer', {
          validate: text => text.trim() !== '' || 'Write an answer',
          maxLength: { value: MAX_ANSWER_LENGTH, message: `At most ${MAX_ANSWER_LENGTH} characters` },
        })}
      />
      <div className="flex gap-2">
        <Button type="submit" busy={command.busy}>
          Send the answer
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function RequestCard({ request }: { request: SupportRequest }) {
  const [answering, setAnswering] = useState(false)
  const set = useCommand()
  const [status, statusTone] = supportRequestStatusBadges[request.status]
  const [priority, priorityTone] = priorities[request.priority]
  const move = async (to: SupportRequestStatus) => {
    const sendStatus = () =>
      sendCommand('POST /api/admin/support/{request}/status', { params: { request: request.id }, body: { status: to } })
    await set.run(() => sendStatus().finally(() => refetchQueries('GET /api/admin/support')))
  }
  return (
    <article className="flex flex-col gap-3 rounded-card border border-line bg-paper p-4 sm:p-6">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto text-16">
          {request.by ? (
            <a className="hover:underline max-md:inline-flex max-md:min-h-11 max-md:items-center" href={personPagePath(request.by.id)}>
              {request.by.name}
            </a>
          ) : (
            'A deleted account'
          )}
          <span className="font-normal text-ink-2 [font-stretch:100%]">
            {' '}
            · {request.by?.role} · <RelativeTime at={request.asked} />
          </span>
        </h2>
        {request.bySystem && <Badge tone="clay">Automatic</Badge>}
        <Badge>{capitalize(request.requestType)}</Badge>
        <Badge tone={priorityTone}>{priority}</Badge>
        <Badge dot tone={statusTone}>
          {status}
        </Badge>
      </header>
      <p className="max-w-measure wrap-anywhere whitespace-pre-line">{request.content}</p>
      {request.suggestedSolution && (
        <p className="max-w-measure text-ink-2">
          <span className="block text-13 font-medium">Their suggestion</span>
          <span className="wrap-anywhere whitespace-pre-line">{request.suggestedSolution}</span>
        </p>
      )}
      {request.answers.map(({ text, at }) => (
        <div key={at} className="border-l-2 border-field pl-4">
          <p className="text-13 font-medium">
            Answered <RelativeTime at={at} />
          </p>
          <p className="max-w-measure wrap-anywhere whitespace-pre-line">{text}</p>
        </div>
      ))}
      {request.deviceInfo && <p className="text-13 wrap-anywhere text-ink-2">{request.deviceInfo}</p>}
      {answering ? (
        <AnswerForm request={request} onDone={() => setAnswering(false)} />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button variant={request.answer ? 'secondary' : 'primary'} onClick={() => setAnswering(true)}>
            {request.answer ? 'Answer again' : 'Answer'}
          </Button>
          {request.status === 'open' && (
            <Button variant="secondary" busy={set.busy} onClick={() => move('in-progress')}>
              Start working on it
            </Button>
          )}
          {request.status !== 'closed' ? (
            <Button variant="quiet" busy={set.busy} onClick={() => move('closed')}>
              Close
            </Button>
          ) : (
            <Button variant="quiet" busy={set.busy} onClick={() => move('open')}>
              Reopen
            </Button>
          )}
        </div>
      )}
      <FormError>{set.message}</FormError>
    </article>
  )
}

const pageOf = ({ requests, next }: Reply<'GET /api/admin/support'>) => ({ rows: requests, next })

/** A list of requests, or the single request whose id is in the URL. */
function RequestList({ which }: { which: { list: 'waiting' | 'done' } | { request: string } }) {
  const { data, error, retry } = useQuery('GET /api/admin/support', { query: which })
  const { rows: requests, ...paging } = useMorePages({
    first: data && pageOf(data),
    reply: data,
    load: async after => pageOf(await callApi('GET /api/admin/support', { query: { ...which, after } })),
    keyOf: request => request.id,
  })
  if (!data || !requests) {
    if (error) return <ErrorState title="The requests did not load" error={errorMessage(error)} retry={retry} />
    return (
      <LoadingRegion label="Loading requests" className="flex flex-col gap-3">
        <Skeleton className="h-40" />
        <Skeleton className="h-40" />
      </LoadingRegion>
    )
  }
  if (!requests.length) {
    return <EmptyState title="No requests">Requests from the support chat appear here, most urgent first.</EmptyState>
  }
  return (
    <div className="flex flex-col gap-4">
      {requests.map(request => (
        <RequestCard key={request.id} request={request} />
      ))}
      <LoadMoreFooter shown={requests.length} total={data.total} {...paging} label="Show more requests" />
    </div>
  )
}

const WAITING = { list: 'waiting' } as const
const DONE = { list: 'done' } as const

/** The id of the support request in the URL, or null if it has none. Links to a single request contain its id. */
const requestInAddress = () => new URLSearchParams(globalThis.location?.search).get('request')

function Support() {
  const [named] = useState(requestInAddress)
  const back = named ? { href: '/admin/support-management', label: 'All requests' } : { href: '/admin/dashboard', label: 'Overview' }
  return (
    <div className="page max-w-4xl">
      <PageHeader
        title={named ? 'Support request' : 'Support requests'}
        about={named ? undefined : 'Most urgent first, then oldest. Answered and closed ones: newest first.'}
        back={back}
      />
      {named ? (
        <RequestList which={{ request: named }} />
      ) : (
        <Tabs
          label="Requests"
          tabs={[
            { value: 'waiting', label: 'Waiting', content: <RequestList which={WAITING} /> },
            { value: 'done', label: 'Answered and closed', content: <RequestList which={DONE} /> },
          ]}
        />
      )}
    </div>
  )
}

export default () => (
  <ProtectedAdminPage>
    <Support />
  </ProtectedAdminPage>
)
