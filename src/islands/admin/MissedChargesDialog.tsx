import { formatCents } from '../../../modules/format-text.ts'
import type { Reply } from '../../client/api.ts'
import { errorMessage } from '../../client/command.ts'
import { useQuery } from '../../client/query.ts'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

type MissedCharge = Reply<'GET /api/admin/missed-charges'>['charges'][number]

const formatMoment = dateFormatter({ dateStyle: 'medium', timeStyle: 'short' })

function explanationOf({ difference, refunded, recordedRefund }: MissedCharge): string {
  if (difference === 'unknown-payment') return 'The log has no bill for it. Ask the player what it was for, or refund it in Stripe.'
  if (difference === 'not-recorded')
    return 'The log has the bill but not the payment. Run npm run after-restore on the server to record it.'
  return `Stripe refunded ${formatCents(refunded)}, but the log says ${formatCents(recordedRefund)}.`
}

/** Stripe charges of the last 90 days that are missing from the event log. */
export function MissedChargesDialog({ onClose }: { onClose: () => void }) {
  const { data, error, retry } = useQuery('GET /api/admin/missed-charges')
  return (
    <Dialog open onOpenChange={open => open || onClose()} title="Payments at Stripe" about="The last 90 days, compared with the log">
      {!data ? (
        error ? (
          <ErrorState title="The comparison with Stripe failed" error={errorMessage(error)} retry={retry} />
        ) : (
          <LoadingRegion label="Asking Stripe">
            <Skeleton className="h-24" />
          </LoadingRegion>
        )
      ) : data.charges.length === 0 ? (
        <p>Every payment at Stripe is in the log.</p>
      ) : (
        <ul className="divide-y divide-line">
          {data.charges.map(charge => (
            <li key={charge.charge} className="py-3 text-14">
              <p className="text-16 font-medium">
                {formatCents(charge.amount)}, {formatMoment(new Date(charge.at))}
              </p>
              <p>{explanationOf(charge)}</p>
              <p className="wrap-anywhere text-ink-2">
                {charge.charge} · payment {charge.payment}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
