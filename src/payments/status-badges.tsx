import type { Payment, Purchase } from '../../modules/payments/contract.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'

const paymentLooks: Record<Payment['status'], [string, BadgeTone]> = {
  due: ['Due', 'clay'],
  processing: ['Processing', 'sky'],
  failed: ['Failed', 'red'],
  paid: ['Paid', 'field'],
  refunded: ['Refunded', 'ink'],
  disputed: ['In dispute', 'gold'],
}
export const PaymentBadge = ({ payment }: { payment: Pick<Payment, 'status' | 'overdue'> }) => {
  const [label, tone] = payment.overdue && payment.status === 'due' ? (['Overdue', 'clay'] as const) : paymentLooks[payment.status]
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
export const PackageBadge = ({ purchase }: { purchase: Pick<Purchase, 'status'> }) => {
  const [label, tone] = packageLooks[purchase.status]
  return (
    <Badge dot tone={tone}>
      {label}
    </Badge>
  )
}
