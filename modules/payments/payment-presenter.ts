import { describeChargeFailure } from './charge-failure-messages.ts'
import { maySeeCard, type PaymentViewer } from './charged-card-visibility.ts'
import type { InstructorPayment as Shown } from './contract.ts'
import type { PriceItem } from './pricing.ts'
import { receiptNumber } from './receipt-number.ts'

/** A row of the read model `payments` with the names of its folder and people; null if those no longer exist. */
export interface PaymentRowWithNames {
  payment: string
  folder: string
  folderName: string | null
  player: string
  playerName: string | null
  instructor: string
  instructorName: string | null
  payer: string
  status: 'due' | 'processing' | 'failed' | 'paid'
  items: PriceItem[]
  total: number
  share: number
  tip: number
  charged: number
  refunded: number
  dispute: string | null
  card: { id: string; brand: string; last4: string } | null
  card_owner: string | null
  cards_by_attempt: object
  failure: Parameters<typeof describeChargeFailure>[0] | null
  opened: string
  due: string
  paid: string | null
  transferred: string | null
  netted: number
  owed: number
}

/** A payment as the viewer may see it. */
export function presentPayment(row: PaymentRowWithNames, viewer: PaymentViewer, now: Date): Shown {
  const { payment: id, dispute, charged, folderName, playerName, instructorName, payer, card_owner, cards_by_attempt: _, ...rest } = row
  const card = maySeeCard(viewer, card_owner) ? row.card : null
  // If the bill names no payer, `payer` is the player, and whoever pays for the player now owes the bill.
  const isOwedByAnother = viewer !== 'administrator' && payer !== viewer.person && payer !== row.player
  const isFullyRefunded = charged > 0 && row.refunded >= charged
  return {
    ...rest,
    id,
    folderName: folderName ?? 'A folder',
    playerName: playerName ?? 'A former player',
    instructorName: instructorName ?? 'A former instructor',
    status: dispute && dispute !== 'won' ? 'disputed' : isFullyRefunded ? 'refunded' : row.status,
    isDisputeLost: dispute === 'lost',
    overdue: row.status !== 'paid' && row.status !== 'processing' && new Date(row.due) <= now,
    isOwedByAnother,
    card: card && { brand: card.brand, last4: card.last4 },
    cardId: card?.id ?? null,
    failure: row.failure && card ? describeChargeFailure(row.failure) : null,
    receipt: row.paid && receiptNumber(id, row.paid),
    share: isFullyRefunded || dispute === 'lost' ? 0 : row.share + row.tip,
  }
}
