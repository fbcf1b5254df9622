import { BadgeCheck, Banknote, ExternalLink } from 'lucide-react'
import { useEffect } from 'react'
import { formatCents } from '../../../modules/format-cents-and-counts.ts'
import type { InstructorPayment, WaivedDebt } from '../../../modules/payments/contract.ts'
import { INSTRUCTOR_PERCENT } from '../../../modules/payments/policy.ts'
import { callApi, type Reply } from '../../client/api.ts'
import { navigateAndWaitForReturn } from '../../client/navigate-and-wait-for-return.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { errorMessage, useCommand } from '../../client/use-command.ts'
import { useMorePages } from '../../client/use-more-pages.ts'
import { sessionPath } from '../../folders/folder-page-urls-and-query.ts'
import { payoutRequirementsText } from '../../payments/payout-requirements-text.ts'
import { ProtectedPage } from '../../shell/ProtectedPage.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState, ErrorState } from '../../ui/empty-and-error-states.tsx'
import { FieldError } from '../../ui/field.tsx'
import { LoadMoreFooter } from '../../ui/load-more-footer.tsx'
import { Money } from '../../ui/money-amount.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { cellLinkClasses, Table } from '../../ui/table.tsx'

type PayoutAccount = Reply<'GET /api/earnings'>['account']

/**
 * Asks our API to refresh the account's status from Stripe while setup is unfinished or Stripe requires more information, because the
 * status may have changed since the last visit.
 */
function useRefreshAccount(account: PayoutAccount | undefined) {
  const pending = !!account && account.status !== 'none' && (account.status !== 'ready' || account.requirements.length > 0)
  useEffect(() => {
    if (!pending) return
    callApi('POST /api/payouts/refresh').then(
      () => void refetchQueries('GET /api/earnings'),
      () => {
        // If Stripe does not answer, the page shows the last known status.
      },
    )
  }, [pending])
}

/** The texts of the payout card: whether the account is set up, and whether Stripe requires more information. */
export function payoutAccountTexts({ status, requirements, submitted }: PayoutAccount): { title: string; about: string; action: string } {
  const missing = payoutRequirementsText(requirements)
  if (status === 'none') {
    return {
      title: 'Set up payouts',
      about:
        'Tell Stripe, our payment provider, where to send your money. It takes about three minutes. What you earn until then is held for you.',
      action: 'Set up payouts',
    }
  }
  if (status === 'started' && submitted && !missing) {
    return {
      title: 'Stripe is checking your details',
      about:
        'Stripe, our payment provider, has everything it asked for. We hold what you earn until the check is done; there is nothing for you to do.',
      action: 'See it at Stripe',
    }
  }
  if (status === 'started') {
    const details = missing ? `Stripe, our payment provider, still needs ${missing}.` : 'A few details are missing.'
    return { title: 'Finish setting up payouts', about: `${details} We hold what you earn until you complete them.`, action: 'Continue' }
  }
  if (missing) {
    return {
      title: 'Stripe needs more from you',
      about: `Your share goes to your account at Stripe. To pay it out, Stripe still needs ${missing}.`,
      action: 'Continue at Stripe',
    }
  }
  return { title: 'Payouts are on', about: 'Your share goes to your account as soon as a player has paid.', action: 'Open my account' }
}

function PayoutAccountCard({ account }: { account: PayoutAccount }) {
  const open = useCommand()
  const complete = account.status === 'ready' && !account.requirements.length
  const { title, about, action } = payoutAccountTexts(account)
  const go = () =>
    open.run(async () => {
      const { url } = await sendCommand('POST /api/payouts/account', undefined)
      await navigateAndWaitForReturn(url)
    })
  const Icon = complete ? BadgeCheck : Banknote
  return (
    <section
      aria-labelledby="payouts"
      className="flex flex-col gap-4 rounded-card border border-line bg-paper p-4 sm:flex-row sm:items-center sm:p-6"
    >
      <span className={complete ? 'text-field' : 'text-clay'}>
        <Icon aria-hidden="true" size={32} strokeWidth={1.75} />
      </span>
      <div className="min-w-0 flex-1">
        <h2 id="payouts" className="text-18">
          {title}
        </h2>
        <p className="text-ink-2">{about}</p>
        <FieldError id="payouts-error" error={open.message} />
      </div>
      <Button
        variant={complete ? 'secondary' : 'primary'}
        busy={open.busy}
        onClick={go}
        icon={<ExternalLink aria-hidden="true" size={20} strokeWidth={1.75} />}
      >
        {action}
      </Button>
    </section>
  )
}

/** Whether the instructor's share of a payment has been paid out, and if not, why. */
function TransferBadge({ payment, ready, debt }: { payment: InstructorPayment; ready: boolean; debt: number }) {
  // The debt from this payment may have been repaid or waived since then, so the badge never shows more than the total remaining debt.
  if (payment.owed && debt > 0) return <Badge tone="red">You owe {formatCents(Math.min(payment.owed, debt))}</Badge>
  if (payment.netted) return <Badge tone="gold">{formatCents(payment.netted)} withheld for what you owed</Badge>
  if (payment.transferred) {
    return (
      <Badge dot tone="field">
        Paid out
      </Badge>
    )
  }
  if (payment.isDisputeLost) return <Badge>Returned by the bank</Badge>
  if (payment.status === 'disputed') return <Badge tone="gold">Held, in dispute</Badge>
  if (payment.status === 'refunded') return <Badge>Refunded</Badge>
  if (payment.status !== 'paid') return <Badge>Not paid yet</Badge>
  return ready ? <Badge tone="sky">On its way</Badge> : <Badge tone="clay">Held until payouts are set up</Badge>
}

/** Says what the instructor owes, why, and that it is deducted from future earnings. */
const DebtNotice = ({ cents }: { cents: number }) => (
  <section aria-labelledby="debt" className="rounded-card border border-line bg-paper p-4 sm:p-6">
    <h2 id="debt" className="text-18">
      You owe {formatCents(cents)}
    </h2>
    <p className="text-ink-2">
      A player got their money back after your share was paid out, and your account at Stripe did not hold enough to return it. We will
      deduct it from your next shares. You don't need to do anything.
    </p>
  </section>
)

const DebtWaivers = ({ waivers }: { waivers: WaivedDebt[] }) => (
  <section aria-labelledby="waived" className="rounded-card border border-line bg-paper p-4 sm:p-6">
    <h2 id="waived" className="text-18">
      Waived for you
    </h2>
    <ul className="text-ink-2">
      {waivers.map(({ at, amount, reason }) => (
        <li key={at} className="wrap-anywhere">
          You don't have to pay back {formatCents(amount)}: “{reason}” <RelativeTime at={at} />
        </li>
      ))}
    </ul>
  </section>
)

const header = (
  <PageHeader
    title="Earnings"
    about={`You get ${INSTRUCTOR_PERCENT}% of the base price of every session, whatever the player's discount, and the whole tip.`}
    back={{ href: '/instructor/dashboard', label: 'Your queue' }}
  />
)

const EarningsSkeleton = () => (
  <LoadingRegion label="Loading your earnings" className="flex flex-col gap-6">
    <Card className="flex h-54 flex-col gap-4 sm:h-25 sm:flex-row sm:items-center">
      <Skeleton className="size-8 shrink-0 rounded-full!" />
      <span className="flex flex-1 flex-col gap-2">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-4 max-w-md" />
      </span>
      <Skeleton className="h-11 sm:w-48" />
    </Card>
    <Card flush className="grid divide-line max-sm:divide-y sm:grid-cols-3 sm:divide-x">
      {['a', 'b', 'c'].map(key => (
        <span key={key} className="flex items-center justify-between p-4 sm:block sm:p-6">
          <Skeleton className="my-0.5 h-4 w-20" />
          <Skeleton className="my-1 h-6.5 w-28" />
        </span>
      ))}
    </Card>
    <Skeleton className="h-60 rounded-card!" />
  </LoadingRegion>
)

const pageOf = ({ payments, next }: Reply<'GET /api/earnings'>) => ({ rows: payments, next })

function Page() {
  const { data, error, retry } = useQuery('GET /api/earnings')
  const { rows = [], ...paging } = useMorePages({
    first: data && pageOf(data),
    load: async before => pageOf(await callApi('GET /api/earnings', { query: { before } })),
    keyOf: p => p.id,
  })
  useRefreshAccount(data?.account)
  if (!data) {
    return (
      <div className="page">
        {header}
        {error ? <ErrorState title="Your earnings did not load" error={errorMessage(error)} retry={retry} /> : <EarningsSkeleton />}
      </div>
    )
  }
  const figures = [
    ['Earned', data.earned],
    [data.account.status === 'ready' ? 'On its way' : 'Held for you', data.waiting],
    ['Paid out', data.transferred],
  ] as const
  return (
    <div className="page">
      {header}
      <div className="flex flex-col gap-6">
        <PayoutAccountCard account={data.account} />
        {data.debt > 0 && <DebtNotice cents={data.debt} />}
        {data.waivers.length > 0 && <DebtWaivers waivers={data.waivers} />}
        <dl className="grid divide-line rounded-card border border-line bg-paper max-sm:divide-y sm:grid-cols-3 sm:divide-x">
          {figures.map(([name, cents]) => (
            <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-2 p-4 sm:block sm:p-6">
              <dt className="text-14 text-ink-2">{name}</dt>
              <dd className="text-28 font-heavy [font-stretch:112%]">
                <Money cents={cents} />
              </dd>
            </div>
          ))}
        </dl>
        {data.payments.length === 0 ? (
          <EmptyState title="No earnings yet">Each session that you deliver appears here with your share and its status.</EmptyState>
        ) : (
          <Table
            caption="Your sessions and shares"
            rows={rows}
            rowKey={p => p.id}
            columns={[
              { name: 'Player', cell: p => p.playerName },
              {
                name: 'Folder',
                cell: p => (
                  <a href={sessionPath('instructor', p.folder, p.id)} className={cellLinkClasses}>
                    {p.folderName}
                  </a>
                ),
              },
              { name: 'Delivered', cell: p => <RelativeTime at={p.opened} /> },
              { name: 'Tip', align: 'right', cell: p => (p.tip ? formatCents(p.tip) : '–') },
              { name: 'Your share', align: 'right', cell: p => <span className="font-medium">{formatCents(p.share)}</span> },
              { name: 'Status', cell: p => <TransferBadge payment={p} ready={data.account.status === 'ready'} debt={data.debt} /> },
            ]}
          />
        )}
        <LoadMoreFooter shown={rows.length} total={data.total} {...paging} />
      </div>
    </div>
  )
}

export default () => <ProtectedPage role="instructor">{() => <Page />}</ProtectedPage>
