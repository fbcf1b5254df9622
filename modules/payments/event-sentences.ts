import { amountText, type EventSentences, textOrEmpty } from '../event-sentence-types.ts'
import { formatCents } from '../format-cents-and-counts.ts'
import type { AllowanceEvent } from './allowance.ts'
import type { PurchaseEvent } from './package-purchase.ts'
import type { PaymentEvent } from './payment.ts'
import type { PayoutAccountOrDebtEvent } from './payout-account-and-debt-decider.ts'
import type { WalletEvent } from './wallet.ts'

const withTip = (d: Record<string, unknown>) => `${amountText(d.amount)}${d.tip ? `, ${amountText(d.tip)} of it a tip` : ''}`
const toWhom = (owner: string | undefined) => (owner ? ` to ${owner}` : '')
const sum = (d: Record<string, unknown>) => (typeof d.cents === 'number' ? ` ${formatCents(d.cents)}` : '')

const OWNER = { subject: 'owner' } as const
const WHOLE = { subject: 'none' } as const

export const paymentEventSentences: EventSentences<AllowanceEvent | PaymentEvent | PayoutAccountOrDebtEvent | PurchaseEvent | WalletEvent> =
  {
    PaymentAgreed: { audit: () => 'agreed to pay for the feedback' },
    PaymentOpened: { ...OWNER, audit: d => `was billed ${amountText(d.total)}` },
    PaymentAttempted: { ...WHOLE, audit: d => `A charge of ${withTip(d)} was started` },
    PaymentFailed: {
      ...WHOLE,
      audit: d => `The charge failed: ${textOrEmpty(d.reason).replaceAll('-', ' ')}`,
      story: () => 'A payment did not go through',
    },
    AttemptAbandoned: { ...WHOLE, audit: () => 'A charge that can no longer be paid was abandoned' },
    PaymentSucceeded: {
      ...OWNER,
      audit: d => `paid ${withTip(d)}`,
      story: (who, d) => `${who === 'You' ? 'You paid' : 'Paid'}${sum(d)}`,
    },
    ChargeDoubled: { ...OWNER, audit: d => `was charged ${amountText(d.amount)} a second time` },
    DoubledChargeReturned: { ...OWNER, audit: () => 'got the second charge back' },
    TransferMade: {
      ...WHOLE,
      audit: d => `The instructor was paid ${amountText(d.amount)}${d.netted ? `; ${amountText(d.netted)} paid back what they owed` : ''}`,
    },
    TransferOwed: { ...WHOLE, audit: d => `${amountText(d.amount)} could not be taken back from the instructor, who owes it` },
    ShareRefused: {
      ...WHOLE,
      audit: d =>
        `The instructor's share could not be ${d.of === 'reversal' ? 'taken back' : 'paid'}: ${textOrEmpty(d.code).replaceAll('_', ' ')}`,
    },
    TransferReversed: { ...WHOLE, audit: d => `${amountText(d.amount)} was taken back from the instructor` },
    RefundAsked: { audit: (d, owner) => `refunded ${amountText(d.amount)}${toWhom(owner)}: “${textOrEmpty(d.reason)}”` },
    PaymentRefunded: { ...OWNER, audit: d => `was refunded ${amountText(d.amount)}`, story: (_, d) => `Refunded${sum(d)}` },
    RefundFailed: { ...WHOLE, audit: d => `A refund of ${amountText(d.amount)} failed` },
    ChargebackOpened: { ...WHOLE, audit: d => `The bank opened a chargeback of ${amountText(d.amount)}` },
    ChargebackClosed: { ...WHOLE, audit: d => `The chargeback was ${textOrEmpty(d.outcome)}` },
    CustomerMade: { ...OWNER, audit: () => 'was set up as a customer with the payment provider' },
    CardSaved: { ...OWNER, audit: () => 'saved a card' },
    CardTakenOver: { ...OWNER, audit: () => 'took over a card that their child had saved' },
    CardHandedOver: { ...OWNER, audit: () => 'handed a saved card over to the guardian' },
    CardPreferred: { ...OWNER, audit: () => 'chose another card' },
    CardRemoved: { ...OWNER, audit: () => 'removed a card' },
    CardHeld: { ...OWNER, audit: () => 'cannot remove a card while a folder is being assigned' },
    CardReleased: { ...OWNER, audit: () => 'can remove that card again' },
    SpendingLimitSet: {
      audit: (d, owner = 'the player') =>
        typeof d.monthly === 'number'
          ? `allowed ${owner} ${amountText(d.monthly)} a month without asking`
          : `wants to approve each session of ${owner}`,
    },
    SpendingCounted: { ...OWNER, audit: d => `used ${amountText(d.cents)} of the limit for ${textOrEmpty(d.month)}` },
    SpendingKept: { ...OWNER, audit: () => 'tried that assignment again, which uses the limit only once' },
    SpendingCorrected: { ...OWNER, audit: d => `used ${amountText(d.cents)} of the limit for that session instead` },
    PayoutAccountOpened: { ...OWNER, audit: () => 'opened a payout account' },
    PayoutAccountChanged: {
      ...OWNER,
      audit: d => (d.ready ? 'has a payout account that is ready' : 'has a payout account with missing details'),
    },
    DebtIncurred: { ...OWNER, audit: d => `owes the platform ${amountText(d.amount)} more` },
    DebtNetted: { ...OWNER, audit: d => `paid back ${amountText(d.amount)} out of a share` },
    DebtWaived: {
      audit: (d, owner) => `waived ${amountText(d.amount)} that ${owner ?? 'the instructor'} owed: “${textOrEmpty(d.reason)}”`,
    },
    ShareHeld: { ...WHOLE, audit: () => "The instructor's share is waiting for a payout account" },
    PackageBought: { ...OWNER, audit: d => `bought a package for ${amountText(d.amount)}` },
    PackageRefundAsked: {
      audit: (d, owner) => `refunded ${amountText(d.amount)} for a package${toWhom(owner)}: “${textOrEmpty(d.reason)}”`,
    },
    PackageRefunded: { ...OWNER, audit: d => `was refunded ${amountText(d.amount)} for a package` },
    PackageRefundFailed: { ...WHOLE, audit: d => `A refund of ${amountText(d.amount)} for a package failed` },
    PackageDisputed: { ...WHOLE, audit: d => `The bank opened a chargeback of ${amountText(d.amount)} for a package` },
    PackageDisputeClosed: { ...WHOLE, audit: d => `The chargeback for a package was ${textOrEmpty(d.outcome)}` },
  }
