import type { Payment, Purchase } from '../../modules/payments/contract.ts'

const OPEN_STATUSES: Payment['status'][] = ['due', 'failed', 'processing']

/** Whether a payment is listed with the open bills. */
export const isOpenBill = ({ status }: Payment) => OPEN_STATUSES.includes(status)

export const paymentsReplyToListPage = ({ payments, next }: { payments: Payment[]; next: string | null }) => ({ rows: payments, next })

export const listPageOfPackagesReply = ({ purchases, next }: { purchases: Purchase[]; next: string | null }) => ({ rows: purchases, next })
