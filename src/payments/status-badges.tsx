import type { Payment, Purchase } from '../../modules/payments/contract.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'

const lostDisputeLook: [string, BadgeTone] = ['Returned by the bank', 'ink']
const paymentLooks: Record<Payment['status'], [string, BadgeTone]> = {
  due: ['Due', 'clay'],
  processing: ['Processing', 'sky'],
  failed: ['Failed', 'red'],
  paid: ['Paid', 'field'],
  refunded: ['Refunded', 'ink'],
  disputed: ['In dispute', 'gold'],
}
export const PaymentBadge = ({ payment }: { payment: Pick<Payment, 'status' | 'isDisputeLost' | 'overdue'> }) => {
  const overdueOrStatusLook = payment.overdue && payment.status === 'due' ? (['Overdue', 'clay'] as const) : paymentLooks[payment.status]
  const [label, tone] = payment.isDisputeLost ? lostDisputeLook : overdueOrStatusLook
  return (
    <Badge dot tone={tone}>
      {label}
    </Badge>
  )
}

const packageLooks: Record<Purchase['status'], [string, BadgeTone]> = {
  paid: ['Paid', 'field'],
  refunded: ['Refunded', 'ink'],
  disputed: ['In dispute', 'gold'],
}
export const PackageBadge = ({ purchase }: { purchase: Pick<Purchase, 'status' | 'isDisputeLost'> }) => {
  const [label, tone] = purchase.isDisputeLost ? lostDisputeLook : packageLooks[purchase.status]
  return (
    <Badge dot tone={tone}>
      {label}
    </Badge>
  )
}
