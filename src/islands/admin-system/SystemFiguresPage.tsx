import { useEffect } from 'react'
import { countWithNoun } from '../../../modules/format-cents-and-counts.ts'
import { ProtectedAdminPage } from '../../administration/ProtectedAdminPage.tsx'
import type { Reply } from '../../client/api.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

const QUERY = 'GET /api/admin/system'
const REFRESH_MS = 10_000

type SystemFigures = Reply<typeof QUERY>

/** A duration in a single unit: "12 s", "3 min", "2 h". */
function duration(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)} s`
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 3600)} h`
}

/** The system's four figures, each with a sentence that explains it. */
function figuresOf({ logLagSeconds, outbox, media, letters }: SystemFigures) {
  return [
    {
      name: 'Log lag',
      value: duration(logLagSeconds),
      about: logLagSeconds < 5 ? 'Every screen shows what has happened.' : 'Some screens are behind. They catch up by themselves.',
    },
    {
      name: 'Outbox age',
      value: duration(outbox.oldestSeconds),
      about: outbox.waiting
        ? `${countWithNoun(outbox.waiting, 'job')} for Stripe, Resend or us ${outbox.waiting === 1 ? 'is' : 'are'} waiting; the oldest has waited this long.`
        : 'Nothing is waiting for Stripe, Resend or us.',
    },
    {
      name: 'Media queue',
      value: String(media.waiting),
      about: media.waiting
        ? `${countWithNoun(media.waiting, 'video')} to prepare; the first has waited ${duration(media.oldestSeconds)}.`
        : 'No video is waiting to be prepared.',
    },
    {
      name: 'Failed emails',
      value: String(letters.failing),
      about: letters.error
        ? `Resend says: ${letters.error}`
        : `${countWithNoun(letters.returned, 'email')} bounced in the last seven days.`,
    },
  ]
}

function useRefreshing() {
  useEffect(() => {
    const timer = setInterval(() => document.hidden || refetchQueries(QUERY), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
}

function Page() {
  const { data, error, retry } = useQuery(QUERY)
  useRefreshing()
  return (
    <div className="page">
      <PageHeader
        title="System"
        about="How the servers are doing, in four numbers."
        back={{ href: '/admin/dashboard', label: 'Overview' }}
      />
      {data ? (
        <dl className="grid grid-cols-1 gap-4 sm:grid-cols-2 sm:gap-6">
          {figuresOf(data).map(({ name, value, about }) => (
            <Card key={name} className="flex flex-col gap-1">
              <dt className="text-14 text-ink-2">{name}</dt>
              <dd className="text-28 font-heavy [font-stretch:112%]">{value}</dd>
              <dd className="text-14 wrap-anywhere text-ink-2">{about}</dd>
            </Card>
          ))}
        </dl>
      ) : error ? (
        <ErrorState title="The numbers did not load" error={errorMessage(error)} retry={retry} />
      ) : (
        <LoadingRegion label="Loading the numbers" className="grid grid-cols-1 gap-4 sm:grid-cols-2 sm:gap-6">
          {['a', 'b', 'c', 'd'].map(key => (
            <Skeleton key={key} className="h-34 rounded-card!" />
          ))}
        </LoadingRegion>
      )}
    </div>
  )
}

export default () => (
  <ProtectedAdminPage>
    <Page />
  </ProtectedAdminPage>
)
