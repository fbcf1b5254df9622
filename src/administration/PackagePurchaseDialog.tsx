import { countWithNoun, formatCents } from '../../modules/format-cents-and-counts.ts'
import type { Reply } from '../client/api.ts'
import { isNotFound } from '../client/is-not-found.ts'
import { useQuery } from '../client/query.ts'
import { sendCommand } from '../client/send-command.ts'
import { errorMessage } from '../client/use-command.ts'
import { PriceLine, PriceLines } from '../payments/PriceLines.tsx'
import { PackageBadge } from '../payments/status-badges.tsx'
import { Choice, ChoiceGroup } from '../ui/choices.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/empty-and-error-states.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { PaymentOrPackageRefundForm } from './PaymentOrPackageRefundForm.tsx'

type PackagePurchase = Reply<'GET /api/purchases/{purchase}'>
type PackageBooks = NonNullable<PackagePurchase['books']>

function PackageRefund({
  bought,
  books: { refundable, unused },
  onDone,
}: {
  bought: PackagePurchase
  books: PackageBooks
  onDone: () => void
}) {
  return (
    <PaymentOrPackageRefundForm
      of={`refund-package:${bought.id}`}
      player={bought.playerName}
      what={refundable.unused > 0 ? 'unused' : 'whole'}
      give={async ({ refund, what: chosen, reason }) => {
        const what = chosen as 'whole' | 'unused'
        const body = { refund, what, cents: refundable[what], reason }
        await sendCommand('POST /api/admin/purchases/{purchase}/refund', { params: { purchase: bought.id }, body })
        return refundable[what]
      }}
      onDone={onDone}
    >
      {({ register }) => (
        <ChoiceGroup legend={<span className="text-16 font-medium">Refund</span>} className="grid grid-cols-1 gap-2 sm:grid-cols-2">
          {refundable.unused > 0 && (
            <Choice
              type="radio"
              value="unused"
              label={formatCents(refundable.unused)}
              detail={`For ${countWithNoun(unused, 'unused folder')}, which the player loses.`}
              {...register('what')}
            />
          )}
          <Choice
            type="radio"
            value="whole"
            label={formatCents(refundable.whole)}
            detail="Everything that is left. Instructors keep their pay for sessions they have given."
            {...register('what')}
          />
        </ChoiceGroup>
      )}
    </PaymentOrPackageRefundForm>
  )
}

/** A package as an administrator sees it: how its folders were used, what instructors get, any loss, and a refund form. */
export function PackagePurchaseDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, retry } = useQuery('GET /api/purchases/{purchase}', { params: { purchase: id } })
  const books = data?.books
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={data ? `${data.label} package` : 'Package'}
      about={data && `${data.playerName}, ${countWithNoun(data.folders, 'folder')}`}
    >
      {!data || !books ? (
        error ? (
          isNotFound(error) ? (
            <p className="text-ink-2">This purchase is not complete yet.</p>
          ) : (
            <ErrorState title="The package did not load" error={errorMessage(error)} retry={retry} />
          )
        ) : (
          <Skeleton className="h-60" />
        )
      ) : (
        <>
          <div className="mb-4 flex items-center justify-between gap-2">
            <PackageBadge purchase={data} />
            <span className="text-14 text-ink-2">{data.receipt}</span>
          </div>
          <PriceLines items={[{ label: `${data.label}, ${countWithNoun(data.folders, 'folder')}`, cents: data.cents }]}>
            {data.refunded > 0 && <PriceLine label="Refunded" cents={-data.refunded} />}
            <PriceLine strong label="Total" cents={data.cents - data.refunded} />
          </PriceLines>
          <p className="mt-3 text-14 text-ink-2">
            {countWithNoun(books.unused, 'folder')} unused, {books.used} used{books.gone > 0 && `, ${books.gone} refunded`}. Instructors get{' '}
            {formatCents(books.shares)} for {countWithNoun(books.given, 'session')} given on it.
          </p>
          {books.loss > 0 && <p className="mt-3 rounded-field bg-red-wash p-3 font-medium text-red">Loss: {formatCents(books.loss)}</p>}
          {books.refundable.whole > 0 && <PackageRefund bought={data} books={books} onDone={onClose} />}
        </>
      )}
    </Dialog>
  )
}
