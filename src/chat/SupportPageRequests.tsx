import { createRoot } from 'react-dom/client'
import type { SupportRequest } from '../../modules/support/contract.ts'
import { useQuery } from '../client/query.ts'
import { errorMessage } from '../client/use-command.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import { EmptyState, ErrorState } from '../ui/empty-and-error-states.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { LoadingRegion, Skeleton } from '../ui/skeleton.tsx'

/** Label and color of each status, as shown to the person who sent the request. */
const statuses: Record<SupportRequest['status'], [label: string, tone: BadgeTone]> = {
  open: ['Received', 'ink'],
  'in-progress': ['We are working on it', 'sky'],
  answered: ['Answered', 'field'],
  closed: ['Closed', 'ink'],
}

function OwnRequest({ request: { content, asked, status, answers } }: { request: SupportRequest }) {
  const [label, tone] = statuses[status]
  return (
    <li className="flex flex-col gap-3 rounded-card border border-line bg-paper p-4 sm:p-6">
      <p className="flex flex-wrap items-center justify-between gap-2 text-14 text-ink-2">
        <RelativeTime at={asked} />
        <Badge dot tone={tone}>
          {label}
        </Badge>
      </p>
      <p className="max-w-measure wrap-anywhere whitespace-pre-line">{content}</p>
      {answers.map(({ text, at }) => (
        <div key={at} className="border-l-2 border-field pl-4">
          <p className="text-13 font-medium">
            Our answer <RelativeTime at={at} />
          </p>
          <p className="max-w-measure wrap-anywhere whitespace-pre-line">{text}</p>
        </div>
      ))}
    </li>
  )
}

/** The account's own support requests, newest first, each with its status and answers. */
function SupportPageRequests() {
  const { data, error, retry } = useQuery('GET /api/support/my-requests')
  if (!data && error) return <ErrorState title="Your requests did not load" error={errorMessage(error)} retry={retry} />
  if (!data) {
    return (
      <LoadingRegion label="Loading your requests">
        <Skeleton className="h-32 rounded-card!" />
      </LoadingRegion>
    )
  }
  if (!data.length) return <EmptyState title="No requests yet">What you ask in the chat appears here, with our answer.</EmptyState>
  return (
    <ul className="flex flex-col gap-4">
      {data.map(request => (
        <OwnRequest key={request.id} request={request} />
      ))}
    </ul>
  )
}

/** Renders the requests into a public page, which loads this code only for signed-in visitors. */
export const renderSupportPageRequests = (into: HTMLElement) => createRoot(into).render(<SupportPageRequests />)
