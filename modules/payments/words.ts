import { asMoney, asText, money, type Words } from '../words.ts'
import type { AllowanceEvent } from './allowance.ts'
import type { PaymentEvent } from './payment.ts'
import type { PayoutEvent } from './payout-account.ts'
import type { PurchaseEvent } from './purchase.ts'
import type { WalletEvent } from './wallet.ts'

const withTip = (d: Record<string, unknown>) => `${asMoney(d.amount)}${d.tip ? `, ${asMoney(d.tip)} of it a tip` : ''}`
const sum = (d: Record<string, unknown>) => (typeof d.cents === 'number' ? ` ${money(d.cents)}` : '')

export const paymentWords: Words<AllowanceEvent | PaymentEvent | PayoutEvent | PurchaseEvent | WalletEvent> = {
  PaymentAgreed: { audit: () => 'agreed to pay for the feedback' },
  PaymentOpened: { audit: d => `made the bill of ${asMoney(d.total)}` },
  PaymentAttempted: { audit: d => `tried to charge ${withTip(d)}` },
  PaymentFailed: {
    audit: d => `saw the charge fail: ${asText(d.reason).replaceAll('-', ' ')}`,
    story: (_, d) => (d.reason === 'authentication-needed' ? 'The bank asked to confirm a payment' : 'A payment did not go through'),
  },
  AttemptAbandoned: { audit: () => 'gave up an attempt that can no longer be paid' },
  PaymentSucceeded: { audit: d => `charged ${withTip(d)}`, story: (who, d) => `${who === 'You' ? 'You paid' : 'Paid'}${sum(d)}` },
  ChargeDoubled: { audit: d => `found a second charge of ${asMoney(d.amount)}` },
  DoubledChargeReturned: { audit: () => 'gave the second charge back' },
  TransferMade: { audit: d => `transferred ${asMoney(d.amount)} to the instructor` },
  ShareRefused: {
    audit: d => `could not ${d.of === 'reversal' ? 'take the share back' : 'pass the share on'}: ${asText(d.code).replaceAll('_', ' ')}`,
  },
  TransferReversed: { audit: d => `took ${asMoney(d.amount)} back from the instructor` },
  RefundAsked: { audit: d => `asked for a refund of ${asMoney(d.amount)}: “${asText(d.reason)}”` },
  PaymentRefunded: { audit: d => `refunded ${asMoney(d.amount)}`, story: (_, d) => `Refunded${sum(d)}` },
  RefundFailed: { audit: d => `saw a refund of ${asMoney(d.amount)} fail` },
  ChargebackOpened: { audit: d => `saw a chargeback of ${asMoney(d.amount)}` },
  ChargebackClosed: { audit: d => `saw the chargeback ${asText(d.outcome)}` },
  CustomerMade: { audit: () => 'became a customer at the payment provider' },
  CardSaved: { audit: () => 'saved a card' },
  CardTakenOver: { audit: () => 'took over a card that their child had saved' },
  CardHandedOver: { audit: () => 'handed a saved card over to the guardian' },
  CardPreferred: { audit: () => 'chose another card' },
  CardRemoved: { audit: () => 'removed a card' },
  CardHeld: { audit: () => 'had a card kept for a folder that is being assigned' },
  CardReleased: { audit: () => 'had the card let go again' },
  SpendingLimitSet: {
    audit: d =>
      typeof d.monthly === 'number' ? `allowed ${asMoney(d.monthly)} a month without asking` : 'wants to be asked about each session',
  },
  SpendingCounted: { audit: d => `counted ${asMoney(d.cents)} against the month ${asText(d.month)}` },
  SpendingCorrected: { audit: d => `counted ${asMoney(d.cents)} for the session instead` },
  PayoutAccountOpened: { audit: () => 'opened a payout account' },
  PayoutAccountChanged: { audit: d => (d.ready ? 'saw the payout account become ready' : 'saw the payout account change') },
  ShareHeld: { audit: () => "held the instructor's share until there is a payout account" },
  PackageBought: { audit: d => `bought a package for ${asMoney(d.amount)}` },
  PackageRefundAsked: { audit: d => `asked for a refund of ${asMoney(d.amount)} for the package: “${asText(d.reason)}”` },
  PackageRefunded: { audit: d => `refunded ${asMoney(d.amount)} for the package` },
  PackageRefundFailed: { audit: d => `saw a refund of ${asMoney(d.amount)} for the package fail` },
  PackageDisputed: { audit: d => `saw a chargeback of ${asMoney(d.amount)} for the package` },
  PackageDisputeClosed: { audit: d => `saw the chargeback for the package ${asText(d.outcome)}` },
}
