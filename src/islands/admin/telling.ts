import type { Entry } from '../../../modules/audit/contract.ts'
import { money } from '../../ui/money.tsx'

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const cents = (value: unknown) => (typeof value === 'number' ? money(value) : 'an amount')
const short = (id: unknown) => text(id).slice(0, 8)

/** What happened, after the name of whoever did it: '… created the folder “Tee work”'. By event type. */
const sentences: Record<string, (data: Record<string, unknown>) => string> = {
  FolderCreated: d => `created the folder “${text(d.name)}”`,
  FolderRenamed: d => `renamed the folder to “${text(d.name)}”`,
  FolderArchived: () => 'archived the folder',
  FolderRestored: () => 'restored the folder',
  VideoAdded: d => `added the video “${text((d.video as { name?: string } | undefined)?.name)}”`,
  VideoRemoved: () => 'removed a video',
  FolderAssigned: d => `assigned the folder, at most ${cents((d.quote as { atMost?: number } | undefined)?.atMost)}`,
  AssignmentWithdrawn: () => 'took the folder back',
  AssignmentDeclined: d => `declined: “${text(d.reason)}”`,
  ReviewStarted: () => 'started the review',
  FeedbackGiven: d => {
    const notes = (d.review as { notes?: unknown[] } | undefined)?.notes?.length ?? 0
    return `delivered the feedback, ${notes === 1 ? '1 note' : `${notes} notes`}`
  },
  ClarificationAsked: () => 'asked the question',
  ClarificationAnswered: () => 'answered the question',
  FolderPaid: () => 'marked the folder paid',
  PaymentAgreed: () => 'agreed to pay for the feedback',
  PaymentOpened: d => `made the bill of ${cents(d.total)}`,
  PaymentAttempted: d => `tried to charge ${cents(d.amount)}${d.tip ? `, ${cents(d.tip)} of it a tip` : ''}`,
  PaymentFailed: d => `saw the charge fail: ${text(d.reason).replaceAll('-', ' ')}`,
  AttemptAbandoned: () => 'gave up an attempt that can no longer be paid',
  PaymentSucceeded: d => `charged ${cents(d.amount)}${d.tip ? `, ${cents(d.tip)} of it a tip` : ''}`,
  ChargeDoubled: d => `found a second charge of ${cents(d.amount)}`,
  DoubledChargeReturned: () => 'gave the second charge back',
  TransferMade: d => `transferred ${cents(d.amount)} to the instructor`,
  ShareRefused: d => `could not ${d.of === 'reversal' ? 'take the share back' : 'pass the share on'}: ${text(d.code).replaceAll('_', ' ')}`,
  TransferReversed: d => `took ${cents(d.amount)} back from the instructor`,
  RefundAsked: d => `asked for a refund of ${cents(d.amount)}: “${text(d.reason)}”`,
  PaymentRefunded: d => `refunded ${cents(d.amount)}`,
  RefundFailed: d => `saw a refund of ${cents(d.amount)} fail`,
  ChargebackOpened: d => `saw a chargeback of ${cents(d.amount)}`,
  ChargebackClosed: d => `saw the chargeback ${text(d.outcome)}`,
  CustomerMade: () => 'became a customer at the payment provider',
  CardSaved: () => 'saved a card',
  CardPreferred: () => 'chose another card',
  CardRemoved: () => 'removed a card',
  CardHeld: () => 'had a card kept for a folder that is being assigned',
  PayoutAccountOpened: () => 'opened a payout account',
  PayoutAccountChanged: d => (d.ready ? 'saw the payout account become ready' : 'saw the payout account change'),
  ShareHeld: () => "held the instructor's share until there is a payout account",
  PackageBought: d => `bought a package for ${cents(d.amount)}`,
  PackageRefundAsked: d => `asked for a refund of ${cents(d.amount)} for the package: “${text(d.reason)}”`,
  PackageRefunded: d => `refunded ${cents(d.amount)} for the package`,
  PackageRefundFailed: d => `saw a refund of ${cents(d.amount)} for the package fail`,
  PackageDisputed: d => `saw a chargeback of ${cents(d.amount)} for the package`,
  PackageDisputeClosed: d => `saw the chargeback for the package ${text(d.outcome)}`,
  CreditsRevoked: d => `lost ${d.folders === 1 ? '1 folder' : `${Number(d.folders)} folders`} of credit`,
  CreditsRestored: d => `got ${d.folders === 1 ? '1 folder' : `${Number(d.folders)} folders`} of credit back`,
  CreditsAdded: d => `got ${d.folders === 1 ? '1 folder' : `${Number(d.folders)} folders`} of credit`,
  PointsEarned: d => `earned ${Number(d.points)} points`,
  TermsReserved: () => 'fixed the terms of an assignment',
  TermsReturned: () => 'gave the terms of an assignment back',
  AdminInvited: () => 'invited an administrator',
  AdminJoined: () => 'became an administrator',
  SupportRequested: () => 'asked support',
  SupportAnswered: () => 'answered a support request',
  SupportStatusSet: d => `set a support request to ${text(d.status)}`,
}

/** 'PayoutAccountOpened' → 'payout account opened' */
export const spaced = (type: string) => type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

/** Who did it; the system where nobody did. */
export const whoDid = ({ who, actor }: Pick<Entry, 'who' | 'actor'>) =>
  who?.name ?? (actor === 'system' ? 'The system' : `Account ${short(actor)}`)

/** What happened, readable also for an event that nobody has written a sentence for yet. */
export function tell({ type, data }: Pick<Entry, 'type' | 'data'>): string {
  const known = sentences[type]
  return known ? known((data ?? {}) as Record<string, unknown>) : `recorded: ${spaced(type)}`
}
