import type { Payment, Purchase } from '../../modules/payments/contract.ts'

const OPEN_STATUSES: Payment['status'][] = ['due', 'failed', 'processing']

/** Whether a payment is listed with the open bills. */
export const isOpenBill = ({ status }: Payment) => OPEN_STATUSES.includes(status)

/** Converts an API reply with settled payments to a page of a list. */
export const paymentsReplyToListPage = ({ payments, next }: { payments: Payment[]; next: string | null }) => ({ rows: payments, next })

export const listPageOfPackagesReply = ({ purchases, next }: { purchases: Purchase[]; next: string | null }) => ({ rows: purchases, next })
