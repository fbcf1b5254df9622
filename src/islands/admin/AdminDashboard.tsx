import { Headset } from 'lucide-react'
import { useState } from 'react'
import type { PaymentOrPackageReference } from '../../administration/EventLogEntry.tsx'
import { ProtectedAdminPage } from '../../administration/ProtectedAdminPage.tsx'
import { useQuery } from '../../client/query.ts'
import { usePageLocation } from '../../page-load/preloaded-page-data-context.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ClientOnly } from '../../ui/client-only.tsx'
import { cx } from '../../ui/cx.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CompareStripeWithLogCard } from './CompareStripeWithLogCard.tsx'
import { EventLogPanel } from './EventLogPanel.tsx'
import { MediaQueue } from './MediaQueue.tsx'
import { StoppedWorkCard } from './StoppedWorkCard.tsx'

// These are rarely used, so their code loads after the log and the system's health.
const InviteAdminForm = lazyWithRetry(() => import('./InviteAdminForm.tsx').then(m => ({ default: m.InviteAdminForm })))
const PaymentOrPackageDialog = lazyWithRetry(() =>
  import('../../administration/PaymentOrPackageDialog.tsx').then(m => ({ default: m.PaymentOrPackageDialog })),
)

/** The payment or purchase named in the URL's query string. */
function moneyInAddress(search: string): PaymentOrPackageReference | undefined {
  const given = new URLSearchParams(search)
  for (const noun of ['payment', 'purchase'] as const) {
    const id = given.get(noun)
    if (id) return { noun, id }
  }
  return undefined
}

function Dashboard() {
  const { search } = usePageLocation()
  const [money, setMoney] = useState(() => moneyInAddress(search))
  // The button shows only the total of open support requests, so the query fetches just one of them.
  const requests = useQuery('GET /api/admin/support', { query: { list: 'open', limit: 1 } })
  const open = requests.data?.total
  const unknown = open === undefined && !requests.error
  return (
    <div className="page">
      <PageHeader
        title="Overview"
        action={
          <ButtonLink
            href="/admin/support-management"
            variant={open ? 'clay' : 'secondary'}
            icon={<Headset aria-hidden="true" size={20} strokeWidth={1.75} />}
            // The width is reserved and the label hidden until the number is known, so that nothing moves.
            className={cx('min-w-[min(12rem,50vw)]', unknown && '*:opacity-0')}
          >
            <span>{open ? (open === 1 ? '1 open request' : `${open} open requests`) : 'Support requests'}</span>
          </ButtonLink>
        }
      />
      <div className="flex flex-col gap-8">
        <div className="grid grid-cols-1 items-start gap-4 sm:gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="grid grid-cols-1 gap-4 sm:gap-6">
            <StoppedWorkCard />
            <MediaQueue />
            <CompareStripeWithLogCard />
          </div>
          <ClientOnly fallback={<Skeleton className="h-33 rounded-card!" />}>
            <InviteAdminForm />
          </ClientOnly>
        </div>
        <EventLogPanel onMoney={setMoney} />
      </div>
      <ClientOnly fallback={null}>{money && <PaymentOrPackageDialog of={money} onClose={() => setMoney(undefined)} />}</ClientOnly>
    </div>
  )
}

export default ({ preloaded }: { preloaded?: string | undefined }) => (
  <ProtectedAdminPage preloaded={preloaded}>
    <Dashboard />
  </ProtectedAdminPage>
)
