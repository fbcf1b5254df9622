import { type ReactNode, Suspense, useEffect, useId } from 'react'
import type { Payment } from '../../../modules/payments/contract.ts'
import { callApi, type Reply } from '../../client/api.ts'
import { isNotFound } from '../../client/is-not-found.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { removeQueryParams } from '../../client/remove-query-params.ts'
import { errorMessage } from '../../client/use-command.ts'
import { RequireGuardianLogin } from '../../family/RequireGuardianLogin.tsx'
import { CompletedChecksLine } from '../../instructors/CompletedChecksLine.tsx'
import { useSaveCardAfterStripeRedirect } from '../../payments/add-card-on-stripe-page.ts'
import { isOpenBill, listPageOfPackagesReply, paymentsReplyToListPage } from '../../payments/list-page-from-payments-reply.ts'
import { PastPayments } from '../../payments/PastPayments.tsx'
import { PayPanel } from '../../payments/PayPanel.tsx'
import { SavedCards } from '../../payments/SavedCards.tsx'
import { EmptyState, ErrorState } from '../../ui/empty-and-error-states.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { LoadingMessage } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.ts'
import { ApprovalRequestCard } from './ApprovalRequestCard.tsx'
import { ChildMoneySettings } from './ChildMoneySettings.tsx'

const FamilyReceiptScreen = lazyWithRetry(() => import('./FamilyReceiptScreen.tsx'))
const EndedApprovalRequestNotice = lazyWithRetry(() => import('./EndedApprovalRequestNotice.tsx'))

type FamilyMoney = Reply<'GET /api/family/money'>

const MONEY_PATH = '/family/money'
/** The id of the approval, bill, receipt or package in the path `/family/money/{id}`, or null. */
const idInAddress = () => location.pathname.slice(MONEY_PATH.length + 1) || null

/** When the guardian returns from Stripe's hosted page (`?session=…`), confirms the package purchase once. */
function useConfirmReturnedPackage() {
  useEffect(() => {
    const session = new URLSearchParams(location.search).get('session')
    if (!session) return
    callApi('POST /api/family/packages/confirm', { body: { session } })
      .then(
        () => toast({ title: 'Package bought', description: 'It covers the next sessions.' }),
        error => toast({ title: 'Purchase not confirmed yet', description: errorMessage(error), variant: 'destructive' }),
      )
      .finally(() => {
        removeQueryParams('session')
        refetchQueries('GET /api/family/money')
      })
  }, [])
}

function Bills({ title, bills, cards, reviewers }: { title: string; bills: Payment[] } & Pick<FamilyMoney, 'cards' | 'reviewers'>) {
  const id = useId()
  if (bills.length === 0) return null
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <h2 id={id} className="text-22">
        {title}
      </h2>
      {bills.map(p => (
        <div key={p.id} className="flex flex-col gap-2">
          <p className="text-ink-2">
            {p.playerName}, “{p.folderName}”, by {p.instructorName}
          </p>
          <CompletedChecksLine checks={reviewers.find(r => r.id === p.instructor)?.checks ?? []} />
          <PayPanel payment={p} cards={cards} back={`${MONEY_PATH}/${p.id}`} />
        </div>
      ))}
    </section>
  )
}

function MoneyScreen({ money, saving, notice }: { money: FamilyMoney; saving: boolean; notice: ReactNode }) {
  const { approvals, cards, children, payments, settled, purchases, purchasePages, reviewers } = money
  const due = payments.filter(isOpenBill)
  const named = idInAddress()
  // A letter links to one entry of a list, so that entry is listed first.
  const first = <T extends { id: string }>(all: T[]) => [...all].sort((a, b) => Number(b.id === named) - Number(a.id === named))
  return (
    <div className="page max-w-5xl">
      <PageHeader
        title="Sessions and costs"
        about="Requests to approve, bills, cards, and what each child may spend."
        back={{ href: '/family', label: 'Your family' }}
      />
      <div className="flex flex-col gap-8">
        {notice}
        {approvals.length > 0 && (
          <section aria-labelledby="approvals" className="flex flex-col gap-4">
            <h2 id="approvals" className="text-22">
              Waiting for your approval
            </h2>
            {first(approvals).map(approval => (
              <ApprovalRequestCard key={approval.id} approval={approval} cards={cards} saving={saving} />
            ))}
          </section>
        )}
        <Bills title="Payment due" bills={first(due.filter(p => !p.isOwedByAnother))} {...{ cards, reviewers }} />
        {approvals.length === 0 && due.every(p => p.isOwedByAnother) && (
          <EmptyState title="Nothing needs your attention">
            Your children's requests and bills appear here, and we email you about each one.
          </EmptyState>
        )}
        <Bills title="Billed to someone else" bills={first(due.filter(p => p.isOwedByAnother))} {...{ cards, reviewers }} />
        <div className="grid grid-cols-1 items-start gap-4 sm:gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="flex min-w-0 flex-col gap-4 sm:gap-6">
            {children.map(child => (
              <ChildMoneySettings key={child.id} child={child} />
            ))}
          </div>
          <SavedCards
            cards={cards}
            saving={saving}
            back={MONEY_PATH}
            none="No card yet. You need one to approve a session; nothing is charged until the feedback arrives."
          />
        </div>
        <PastPayments
          payments={{
            first: { rows: payments.filter(p => !isOpenBill(p)), next: settled.next },
            load: async before => paymentsReplyToListPage(await callApi('GET /api/family/money/settled', { query: { before } })),
            total: settled.total,
          }}
          packages={{
            first: { rows: purchases, next: purchasePages.next },
            load: async before => listPageOfPackagesReply(await callApi('GET /api/family/money/purchases', { query: { before } })),
            total: purchasePages.total,
          }}
          receiptHref={id => `${MONEY_PATH}/${id}`}
          sessionHref={() => ''}
          namesPlayers={children.length > 1}
        />
      </div>
    </div>
  )
}

function Page({ unmatchedLetterNotice }: { unmatchedLetterNotice: ReactNode }) {
  const saving = useSaveCardAfterStripeRedirect()
  useConfirmReturnedPackage()
  const { data, error, retry } = useQuery('GET /api/family/money')
  const id = idInAddress()
  const listedPackage = data?.purchases.find(p => p.id === id)
  const listed = data?.payments.find(p => p.id === id)
  const isApproval = data?.approvals.some(a => a.id === id)
  // `GET /api/family/money` returns only the latest settled payments and packages.
  const isOlder = data && id && !listedPackage && !listed && !isApproval
  const single = useQuery('GET /api/family/payments/{payment}', isOlder ? { params: { payment: id } } : false)
  const singlePackage = useQuery('GET /api/family/purchases/{purchase}', isOlder && single.error ? { params: { purchase: id } } : false)
  const bought = listedPackage ?? singlePackage.data
  const isUnpaid = isOlder && isNotFound(single.error) && isNotFound(singlePackage.error)
  const endedRequest = useQuery('GET /api/family/approvals/{assignment}', isUnpaid ? { params: { assignment: id } } : false)
  if (data) {
    const shownPayment = listed ?? single.data
    const payment = shownPayment?.receipt ? shownPayment : undefined
    return payment || bought ? (
      <Suspense fallback={<LoadingMessage label="Loading your receipt…" />}>
        <FamilyReceiptScreen payment={payment} bought={bought} />
      </Suspense>
    ) : (
      <MoneyScreen
        money={data}
        saving={saving}
        notice={
          endedRequest.data ? (
            <Suspense>
              <EndedApprovalRequestNotice request={endedRequest.data} />
            </Suspense>
          ) : (
            isNotFound(endedRequest.error) && unmatchedLetterNotice
          )
        }
      />
    )
  }
  return (
    <div className="page max-w-5xl">
      <PageHeader title="Sessions and costs" back={{ href: '/family', label: 'Your family' }} />
      {error ? (
        <ErrorState title="Your sessions and costs did not load" error={errorMessage(error)} retry={retry} />
      ) : (
        <LoadingRegion label="Loading your sessions and costs" className="flex flex-col gap-4">
          <Skeleton className="h-48" />
          <Skeleton className="h-32" />
        </LoadingRegion>
      )}
    </div>
  )
}

/** The costs of the children's sessions: approvals, bills, receipts, limits and cards. */
export default () => (
  <RequireGuardianLogin>{(_, unmatchedLetterNotice) => <Page unmatchedLetterNotice={unmatchedLetterNotice} />}</RequireGuardianLogin>
)
