import { Copy, Gift } from 'lucide-react'
import { formatCents } from '../../../modules/format-cents-and-counts.ts'
import { copyWithToast } from '../../client/copy-with-toast.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { ProtectedPage } from '../../shell/ProtectedPage.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

const historyLabels = { earned: 'A friend’s first folder was paid for', spent: 'Used for a folder', returned: 'Returned from a folder' }

function Page() {
  const { data, error, retry } = useQuery('GET /api/rewards')
  return (
    <div className="page">
      <PageHeader
        title="Rewards"
        about="Invite a friend, and you both pay less."
        back={{ href: '/player/dashboard', label: 'Your folders' }}
      />
      {!data &&
        (error ? (
          <ErrorState title="Your rewards did not load" error={errorMessage(error)} retry={retry} />
        ) : (
          <LoadingRegion label="Loading your rewards" className="flex flex-col gap-6">
            <span className="grid grid-cols-1 gap-4 sm:grid-cols-2 sm:gap-6">
              <Card className="flex flex-col gap-4">
                <Skeleton className="h-7 w-28" />
                <Skeleton className="h-15" />
                <Skeleton className="h-18 sm:h-12" />
                <Skeleton className="mt-auto h-11 w-36" />
              </Card>
              <Card className="flex flex-col gap-4">
                <Skeleton className="h-7 w-28" />
                <Skeleton className="h-16 w-40" />
                <Skeleton className="h-18 sm:h-12" />
                <Skeleton className="mt-auto h-16" />
              </Card>
            </span>
            <span>
              <Skeleton className="mb-3 h-7 w-24" />
              <Skeleton className="h-19" />
            </span>
          </LoadingRegion>
        ))}
      {data && (
        <div className="flex flex-col gap-6">
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 sm:gap-6">
            <section aria-labelledby="code" className="flex flex-col gap-4 rounded-card border border-line bg-paper p-4 sm:p-6">
              <h2 id="code" className="text-18">
                Your code
              </h2>
              <p className="rounded-field bg-field-wash px-4 py-3 text-28 font-heavy tracking-wide wrap-anywhere text-field select-all">
                {data.code}
              </p>
              <p className="text-ink-2">
                A friend who registers with it gets {data.percentOff}% off their first assigned folder. When that folder is paid for, you
                get {data.perFriend} points.
              </p>
              <Button
                icon={<Copy aria-hidden="true" size={20} strokeWidth={1.75} />}
                onClick={() => copyWithToast('code', data.code, 'Your friend enters it when registering.')}
                className="mt-auto self-start"
              >
                Copy code
              </Button>
            </section>
            <section aria-labelledby="points" className="flex flex-col gap-4 rounded-card border border-line bg-paper p-4 sm:p-6">
              <h2 id="points" className="text-18">
                Your points
              </h2>
              <p className="flex items-baseline gap-3">
                <span className="text-64 leading-none font-heavy text-gold [font-stretch:112%]">{data.points}</span>
                <span className="text-ink-2">worth {formatCents(data.worth)}</span>
              </p>
              <p className="text-ink-2">
                They come off the price of your next folder automatically: up to {formatCents(data.atMost)} a folder, 100 points for each
                dollar.
              </p>
              <dl className="mt-auto grid grid-cols-3 gap-2 border-t border-line pt-4 text-14">
                {(
                  [
                    ['Friends joined', data.friends.joined],
                    ['Rewarded', data.friends.rewarded],
                    ['Prepaid sessions', data.credits],
                  ] as const
                ).map(([name, value]) => (
                  <div key={name}>
                    <dt className="text-ink-2">{name}</dt>
                    <dd className="text-22 font-heavy">{value}</dd>
                  </div>
                ))}
              </dl>
            </section>
          </div>
          {data.discount && (
            <p className="flex flex-wrap items-center gap-3 rounded-card border border-line bg-gold-wash p-4">
              <Gift aria-hidden="true" size={22} strokeWidth={1.75} className="text-gold" />
              <span className="flex-1">
                A friend referred you: {data.percentOff}% off{' '}
                {data.credits > 0 ? 'the first folder that you assign without a package' : 'your next assigned folder'}.
              </span>
              <ButtonLink variant="secondary" href="/player/dashboard">
                Go to your folders
              </ButtonLink>
            </p>
          )}
          <section aria-labelledby="history">
            <h2 id="history" className="mb-3 text-18">
              History
            </h2>
            {data.history.length === 0 ? (
              <p className="rounded-card border border-dashed border-edge p-6 text-center text-ink-2">
                No points yet. You get them when a friend’s first folder is paid for.
              </p>
            ) : (
              <ul className="divide-y divide-line rounded-card border border-line bg-paper">
                {data.history.map(move => (
                  <li key={`${move.at} ${move.type}`} className="flex items-center justify-between gap-3 p-4">
                    <span>
                      {historyLabels[move.type]}
                      <span className="block text-13 text-ink-2">
                        <RelativeTime at={move.at} />
                      </span>
                    </span>
                    <Badge tone={move.type === 'spent' ? 'ink' : 'gold'}>
                      {move.type === 'spent' ? '−' : '+'}
                      {Math.abs(move.points)}
                    </Badge>
                  </li>
                ))}
              </ul>
            )}
          </section>
        </div>
      )}
    </div>
  )
}

export default () => <ProtectedPage role="player">{() => <Page />}</ProtectedPage>
