import { formatCents } from '../../../modules/format-cents-and-counts.ts'
import type { Reply } from '../../client/api.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

type Unreconciled = Reply<'GET /api/admin/unreconciled-charges'>
type UnreconciledCharge = Unreconciled['charges'][number]
type UnreconciledPackage = Unreconciled['packages'][number]

const formatMoment = dateFormatter({ dateStyle: 'medium', timeStyle: 'short' })

const RECORDING_COMMAND = 'stop the servers and run npm run after-restore. Everybody then has to log in again.'

function explanationOf({ difference, refunded, recordedRefund }: UnreconciledCharge): string {
  if (difference === 'unknown-payment') return 'The log has no bill for it. Ask the player what it was for, or refund it in Stripe.'
  if (difference === 'not-recorded') return `The log has the bill but not the payment. To record it, ${RECORDING_COMMAND}`
  return `Stripe refunded ${formatCents(refunded)}, but the log says ${formatCents(recordedRefund)}.`
}

function packageExplanation({ difference, refunded, recordedRefund }: UnreconciledPackage): string {
  if (difference === 'unknown-player') return 'The log does not know who bought it. Refund it in Stripe if they do not come back.'
  if (difference === 'refund-differs') return `Stripe refunded ${formatCents(refunded)}, but the log says ${formatCents(recordedRefund)}.`
  return refunded > 0
    ? `The log does not have it, and Stripe already refunded ${formatCents(refunded)} of it.`
    : `The log does not have it. To record it with its sessions, ${RECORDING_COMMAND}`
}

interface UnreconciledRow {
  id: string
  title: string
  at: string
  explanation: string
  detail: string
}
const rowsOf = ({ charges, packages }: Unreconciled): UnreconciledRow[] =>
  [
    ...charges.map(c => ({
      id: c.charge,
      title: formatCents(c.amount),
      at: c.at,
      explanation: explanationOf(c),
      detail: `${c.charge} · payment ${c.payment}`,
    })),
    ...packages.map(p => ({
      id: p.charge,
      title: `${formatCents(p.amount)} for a package (${p.label})`,
      at: p.at,
      explanation: packageExplanation(p),
      detail: `${p.charge} · player ${p.player}`,
    })),
  ].sort((a, b) => b.at.localeCompare(a.at))

/**
 * Lists charges and package sales from the last 90 days at Stripe that the event log lacks or records differently. It records nothing;
 * `npm run after-restore` records what the log lacks, as far as it can.
 */
export function UnreconciledChargesDialog({ onClose }: { onClose: () => void }) {
  const { data, error, retry } = useQuery('GET /api/admin/unreconciled-charges')
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
      ) : (
        <UnreconciledChargesAndPackages unreconciled={data} />
      )}
    </Dialog>
  )
}

export function UnreconciledChargesAndPackages({ unreconciled }: { unreconciled: Unreconciled }) {
  const rows = rowsOf(unreconciled)
  if (rows.length === 0) return <p>Every payment and package at Stripe is in the log.</p>
  return (
    <ul className="divide-y divide-line">
      {rows.map(({ id, title, at, explanation, detail }) => (
        <li key={id} className="py-3 text-14">
          <p className="text-16 font-medium">
            {title}, {formatMoment(new Date(at))}
          </p>
          <p>{explanation}</p>
          <p className="wrap-anywhere text-ink-2">{detail}</p>
        </li>
      ))}
    </ul>
  )
}
