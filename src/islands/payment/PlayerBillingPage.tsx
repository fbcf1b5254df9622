import { ArrowLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { countWithNoun } from '../../../modules/format-cents-and-counts.ts'
import { callApi } from '../../client/api.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { removeQueryParams } from '../../client/remove-query-params.ts'
import { sendCommand } from '../../client/send-command.ts'
import { readSkeletonShape, saveSkeletonShape } from '../../client/skeleton-shape.ts'
import { errorMessage } from '../../client/use-command.ts'
import { sessionPath } from '../../folders/folder-page-urls-and-query.ts'
import { useSaveCardAfterStripeRedirect } from '../../payments/add-card-on-stripe-page.ts'
import { isOpenBill, listPageOfPackagesReply, paymentsReplyToListPage } from '../../payments/list-page-from-payments-reply.ts'
import { PackageShop } from '../../payments/PackageShop.tsx'
import { PastPayments } from '../../payments/PastPayments.tsx'
import { PackageReceipt, Receipt } from '../../payments/Receipt.tsx'
import { SavedCards } from '../../payments/SavedCards.tsx'
import { ProtectedPage } from '../../shell/ProtectedPage.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { DuePaymentList } from './DuePaymentList.tsx'
import { GuardianManagesPaymentsNotice } from './GuardianManagesPaymentsNotice.tsx'

/** When the player returns from Stripe's hosted page (`?session=…`), confirms the package purchase once. */
function useConfirmReturnedPackage() {
  useEffect(() => {
    const session = new URLSearchParams(location.search).get('session')
    if (!session) return
    callApi('POST /api/packages/confirm', { body: { session } })
      .then(
        ({ credits }) =>
          toast({
            title: 'Package bought',
            description: `You have ${countWithNoun(credits, 'prepaid session')}.`,
          }),
        error => toast({ title: 'Purchase not confirmed yet', description: errorMessage(error), variant: 'destructive' }),
      )
      .finally(() => {
        removeQueryParams('session')
        refetchQueries('GET /api/billing')
      })
  }, [])
}

/** The receipt for a payment or a package; `id`, from the URL, may be that of either. */
function ReceiptScreen({ id }: { id: string }) {
  const { data: billing, error, retry } = useQuery('GET /api/billing')
  const listedPackage = billing?.purchases.find(p => p.id === id)
  const listed = billing?.payments.find(p => p.id === id)
  // `GET /api/billing` returns only the latest settled payments and packages.
  const single = useQuery('GET /api/payments/{payment}', billing && !listedPackage && !listed ? { params: { payment: id } } : false)
  const singlePackage = useQuery('GET /api/purchases/{purchase}', single.error ? { params: { purchase: id } } : false)
  const bought = listedPackage ?? singlePackage.data
  const shownPayment = listed ?? single.data
  const payment = shownPayment?.receipt ? shownPayment : undefined
  return (
    <div className="page py-6">
      <a
        href="/player/payment"
        className="mb-4 inline-flex min-h-11 items-center gap-1.5 text-14 font-medium text-ink-2 hover:text-ink print:hidden"
      >
        <ArrowLeft aria-hidden="true" size={18} strokeWidth={1.75} />
        Payments
      </a>
      <h1 className="sr-only">Receipt {(payment ?? bought)?.receipt}</h1>
      {payment ? (
        <Receipt payment={payment} />
      ) : bought ? (
        <PackageReceipt purchase={bought} />
      ) : (billing && !single.loading && !singlePackage.loading) || error ? (
        <ErrorState
          title="There is no receipt yet"
          error={error ? errorMessage(error) : 'It appears here as soon as the payment goes through.'}
          retry={retry}
        />
      ) : (
        <Skeleton className="mx-auto h-128 max-w-lg" />
      )}
    </div>
  )
}

/** The list of due payments while it loads, with as many as it last showed in this tab. */
const DuePaymentsSkeleton = ({ due }: { due: number }) => (
  <LoadingRegion label="Loading your payments" className={due ? undefined : 'sr-only'}>
    {due > 0 && <Skeleton className="mt-1 mb-4 h-5 w-20" />}
    {due > 0 && (
      <Card flush className="divide-y divide-line">
        {Array.from({ length: due }, (_, i) => i).map(i => (
          <span key={i} className="flex h-20 items-center justify-between gap-3 px-4 sm:px-6">
            <Skeleton className="h-11 w-1/2 max-w-64" />
            <Skeleton className="h-7 w-20" />
          </span>
        ))}
      </Card>
    )}
  </LoadingRegion>
)

function Page({ isMinor }: { isMinor: boolean }) {
  const saving = useSaveCardAfterStripeRedirect()
  useConfirmReturnedPackage()
  const [wanted] = useState(() => new URLSearchParams(location.search).get('package'))
  const { data: billing, error, retry } = useQuery('GET /api/billing')
  const packages = useQuery('GET /api/packages')
  // The screen waits for both responses, so that the later one does not push down content that is already visible.
  const data = packages.data || packages.error ? billing : undefined
  const due = data?.payments.filter(isOpenBill) ?? []
  useEffect(() => {
    if (data) saveSkeletonShape('payments', { due: due.length })
  })
  return (
    <div className="page">
      <PageHeader title="Buy Folders" about="Your bills, session packages and cards." />
      {!data && error && <ErrorState title="Your payments did not load" error={errorMessage(error)} retry={retry} />}
      {(data || !error) && (
        <div className="flex flex-col gap-8">
          {!data && <DuePaymentsSkeleton {...readSkeletonShape('payments', { due: 0 })} />}
          {due.length > 0 && !isMinor && <DuePaymentList payments={due} />}
          {isMinor ? (
            <GuardianManagesPaymentsNotice credits={data?.credits ?? 0} />
          ) : (
            <div className="grid grid-cols-1 items-start gap-4 sm:gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
              <PackageShop
                credits={data?.credits ?? 0}
                wanted={wanted}
                waits={!data}
                checkout={type => sendCommand('POST /api/packages/checkout', { body: { package: type } })}
              />
              <SavedCards
                cards={data?.cards}
                saving={saving}
                back="/player/payment"
                none="No card yet. You need one before you assign a folder; nothing is charged until you have your feedback."
              />
            </div>
          )}
          {data && (
            <PastPayments
              payments={{
                first: { rows: data.payments.filter(p => !isOpenBill(p)), next: data.settled.next },
                load: async before => paymentsReplyToListPage(await callApi('GET /api/billing/settled', { query: { before } })),
                total: data.settled.total,
              }}
              packages={{
                first: { rows: data.purchases, next: data.purchasePages.next },
                load: async before => listPageOfPackagesReply(await callApi('GET /api/billing/purchases', { query: { before } })),
                total: data.purchasePages.total,
              }}
              receiptHref={id => `/player/payment?receipt=${id}`}
              sessionHref={p => sessionPath('player', p.folder, p.id)}
            />
          )}
        </div>
      )}
    </div>
  )
}

const receiptInUrl = () => new URLSearchParams(location.search).get('receipt')

export default () => (
  <ProtectedPage role="player">
    {user => (receiptInUrl() ? <ReceiptScreen id={receiptInUrl()!} /> : <Page isMinor={user.guardian !== null} />)}
  </ProtectedPage>
)
