import { formatCents } from '../../modules/format-cents-and-counts.ts'
import type { Payment } from '../../modules/payments/contract.ts'
import { BASE_PRICE_CENTS } from '../../modules/payments/policy.ts'
import { isNotFound } from '../client/is-not-found.ts'
import { useQuery } from '../client/query.ts'
import { sendCommand } from '../client/send-command.ts'
import { errorMessage } from '../client/use-command.ts'
import { PriceLine, PriceLines } from '../payments/PriceLines.tsx'
import { PaymentBadge } from '../payments/status-badges.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/empty-and-error-states.tsx'
import { TextField } from '../ui/field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { PaymentOrPackageRefundForm } from './PaymentOrPackageRefundForm.tsx'

/** Parses typed dollars into cents; undefined if the text is not an amount. */
const parseCents = (typed: string) =>
  /^\$?\d{1,6}(\.\d{1,2})?$/.test(typed.trim()) ? Math.round(Number(typed.trim().replace('$', '')) * 100) : undefined

/** A form that refunds all or part of a payment. */
export function PaymentRefundForm({ payment, onDone }: { payment: Payment; onDone: () => void }) {
  const left = payment.total + payment.tip - payment.refunded
  const usedCredit = payment.items.some(item => item.cents === -BASE_PRICE_CENTS)
  return (
    <PaymentOrPackageRefundForm
      of={`refund:${payment.id}`}
      player={payment.playerName}
      what={(left / 100).toFixed(2)}
      give={async ({ refund, what, reason }) => {
        const amount = parseCents(what)!
        await sendCommand('POST /api/admin/payments/{payment}/refund', {
          params: { payment: payment.id },
          body: { refund, cents: amount, reason },
        })
        return amount
      }}
      onDone={onDone}
    >
      {({ register, formState }) => (
        <>
          <h3 className="text-16">Refund</h3>
          <TextField
            label="Amount, in dollars"
            hint={`Up to ${formatCents(left)}. A full refund also takes back the instructor's share of ${formatCents(payment.share)}${usedCredit ? ', and does not return the package credit' : ''}.`}
            inputMode="decimal"
            autoComplete="off"
            error={formState.errors.what?.message}
            {...register('what', {
              validate: typed => {
                const amount = parseCents(typed)
                if (!amount) return 'Enter an amount like 5 or 7.50'
                return amount <= left || `At most ${formatCents(left)} can still be refunded`
              },
            })}
          />
        </>
      )}
    </PaymentOrPackageRefundForm>
  )
}

/** A payment as an administrator sees it: its items, the transfer of the instructor's share, and a refund form. */
export function PaymentDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, retry } = useQuery('GET /api/payments/{payment}', { params: { payment: id } })
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={data ? data.folderName : 'Payment'}
      about={data && `${data.playerName} to ${data.instructorName}`}
    >
      {!data ? (
        error ? (
          isNotFound(error) ? (
            <p className="text-ink-2">There is no bill yet. It is created when the feedback is delivered.</p>
          ) : (
            <ErrorState title="The payment did not load" error={errorMessage(error)} retry={retry} />
          )
        ) : (
          <Skeleton className="h-60" />
        )
      ) : (
        <>
          <div className="mb-4 flex items-center justify-between gap-2">
            <PaymentBadge payment={data} />
            <span className="text-14 text-ink-2">{data.receipt}</span>
          </div>
          <PriceLines items={data.items}>
            {data.tip > 0 && <PriceLine label="Tip" cents={data.tip} />}
            {data.refunded > 0 && <PriceLine label="Refunded" cents={-data.refunded} />}
            <PriceLine strong label="Total" cents={data.total + data.tip - data.refunded} />
          </PriceLines>
          <p className="mt-3 text-14 text-ink-2">
            The instructor's share is {formatCents(data.share)}, {data.transferred ? 'transferred' : 'not transferred yet'}.
          </p>
          {!!data.owed && (
            <p className="mt-3 text-14 text-red">
              {formatCents(data.owed)} had been paid out and could not be taken back. The instructor owes it, and it comes out of their next
              shares.
            </p>
          )}
          {data.receipt && data.refunded < data.total + data.tip && <PaymentRefundForm payment={data} onDone={onClose} />}
        </>
      )}
    </Dialog>
  )
}
