import type { FolderEvent } from '../folders/folder.ts'
import { derivedId, handleCommand, loadState, systemCommandSource } from '../kernel/decider.ts'
import { errand, eventProcess } from '../kernel/process.ts'
import { type EventStore, idOfStream, type RecordedEvent, streamOf } from '../kernel/store.ts'
import type { PurchaseEvent } from '../payments/package-purchase.ts'
import type { PaymentEvent } from '../payments/payment.ts'
import { type CreditsAndPointsEvent, creditsAndPointsDecider, unusedPackageCredits } from './credits-and-points-decider.ts'
import { DISCOUNT_RESERVATION_MINUTES, REFERRAL_POINTS } from './policy.ts'

const returned = (e: Pick<RecordedEvent, 'id' | 'stream'> & { data: { assignment: string } }) =>
  errand(e, 'rewards.return', { folder: idOfStream(e.stream), assignment: e.data.assignment })
const followed = (e: Pick<RecordedEvent, 'id' | 'stream'>) => errand(e, 'rewards.follow', { purchase: idOfStream(e.stream) })

/** Schedules `rewards.check` for a time when the latest attempt to assign has certainly finished. */
function check(
  e: Pick<RecordedEvent, 'id' | 'at'> & { data: Record<'folder' | 'assignment' | 'player', string> },
  furtherAttempts: number,
) {
  const { folder, assignment, player } = e.data
  const due = new Date(Date.parse(e.at) + DISCOUNT_RESERVATION_MINUTES * 60_000).toISOString()
  return errand(e, 'rewards.check', { folder, assignment, player, kept: furtherAttempts }, { due })
}

/**
 * Adds credits for purchased packages, revokes them after refunds and disputes, adds points for a friend's first payment, and gives back
 * discounts that were reserved but not used.
 */
export const creditsAndPointsProcess = eventProcess<FolderEvent | PaymentEvent | PurchaseEvent | CreditsAndPointsEvent>({
  name: 'rewarding',
  startsFrom: 'beginning',
  on: {
    PackageBought: followed,
    PackageRefundAsked: followed,
    PackageRefundFailed: followed,
    PackageDisputed: followed,
    PackageDisputeClosed: followed,
    PaymentSucceeded: e => errand(e, 'rewards.earn', { player: e.data.player, payment: idOfStream(e.stream) }),
    AssignmentWithdrawn: returned,
    ApprovalDeclined: returned,
    ApprovalWithdrawn: returned,
    ApprovalLapsed: returned,
    AssignmentDeclined: returned,
    TermsReserved: e => check(e, 0),
    TermsKept: e => check(e, e.data.times),
  },
})

/** The events that end an assignment, or the request for its approval, without a review. */
const ENDING_TYPES: FolderEvent['type'][] = [
  'AssignmentWithdrawn',
  'AssignmentDeclined',
  'ApprovalDeclined',
  'ApprovalWithdrawn',
  'ApprovalLapsed',
]

/**
 * The player who made this assignment or requested its approval, and whether it ended without a review; undefined if the folder has no such
 * assignment.
 */
async function assignmentOf(store: EventStore, folder: string, assignment: string) {
  const events = ((await store.read(streamOf('folder', folder))) as unknown as FolderEvent[]).filter(
    e => 'assignment' in e.data && e.data.assignment === assignment,
  )
  const beginning = events.find(e => e.type === 'FolderAssigned' || e.type === 'ApprovalRequested')
  return beginning && { player: beginning.data.player, hasEnded: events.some(e => ENDING_TYPES.includes(e.type)) }
}

const giveBack = (store: EventStore, player: string, what: { assignment: string; furtherAttempts?: number }, command: string) =>
  handleCommand(store, creditsAndPointsDecider, player, 'giveBack', what, systemCommandSource(command))

/** Adds the credits of a purchased package. @returns how many unused credits the player now has, from all packages */
export async function addPurchasedCredits(store: EventStore, p: { player: string; purchase: string; folders: number }): Promise<number> {
  const { player, ...bought } = p
  await handleCommand(store, creditsAndPointsDecider, player, 'credit', bought, systemCommandSource(derivedId(p.purchase, 'credit')))
  return unusedPackageCredits(await loadState(store, creditsAndPointsDecider, player))
}

/** The refunds and disputes that revoke credits of a package: refunds that did not fail, and disputes that we did not win. */
function causesOf(events: readonly PurchaseEvent[]) {
  const causes = new Map<string, { folders: number; whole: boolean }>()
  for (const { type, data } of events) {
    if (type === 'PackageRefundAsked') causes.set(data.refund, { folders: data.folders, whole: data.whole })
    if (type === 'PackageRefundFailed') causes.delete(data.refund)
    if (type === 'PackageDisputed') causes.set(data.dispute, { folders: Infinity, whole: true })
    if (type === 'PackageDisputeClosed' && data.outcome === 'won') causes.delete(data.dispute)
  }
  return causes
}

/**
 * Adds the credits of a package if that has not happened yet, and revokes or restores credits to match its refunds and disputes.
 * @returns how many credits each refund or dispute has revoked, by its id; empty if there is no such purchase
 */
export async function adjustCreditsToRefunds(store: EventStore, purchase: string): Promise<Record<string, number>> {
  const events = (await store.read(streamOf('purchase', purchase))) as unknown as PurchaseEvent[]
  const bought = events.find(e => e.type === 'PackageBought')?.data
  if (!bought) return {}
  const { player, folders } = bought
  await addPurchasedCredits(store, { player, purchase, folders })
  const taken = async () => (await loadState(store, creditsAndPointsDecider, player)).packs[purchase]!.taken
  const meta = (what: string, cause: string) => systemCommandSource(derivedId(purchase, what, cause))
  const causes = causesOf(events)
  for (const [cause, its] of causes)
    await handleCommand(store, creditsAndPointsDecider, player, 'revoke', { purchase, cause, ...its }, meta('revoke', cause))
  for (const cause of Object.keys(await taken()))
    if (!causes.has(cause))
      await handleCommand(store, creditsAndPointsDecider, player, 'restore', { purchase, cause }, meta('restore', cause))
  // A refund or dispute may have been recorded, or have failed, in the meantime.
  if ((await store.read(streamOf('purchase', purchase))).length !== events.length) return adjustCreditsToRefunds(store, purchase)
  return Object.fromEntries(Object.entries(await taken()).map(([cause, { folders }]) => [cause, folders]))
}

/** The errand handlers of `creditsAndPointsProcess`. All are idempotent. */
export const rewardErrandHandlers = (store: EventStore) => ({
  'rewards.follow': (p: { purchase: string }) => adjustCreditsToRefunds(store, p.purchase),
  /** An errand of earlier versions, which may still be in the outbox. */
  'rewards.credit': (p: { purchase: string }) => adjustCreditsToRefunds(store, p.purchase),
  'rewards.earn': async (p: { player: string; payment: string }) => {
    const used = (await loadState(store, creditsAndPointsDecider, p.player)).reserved[p.payment]
    // The referrer earns points even if a package pays for the friend's first folder. The friend then gets the discount on the first folder
    // that is paid for with money.
    if (!used?.referrer) return
    const earned = { payment: p.payment, friend: p.player, points: REFERRAL_POINTS }
    await handleCommand(store, creditsAndPointsDecider, used.referrer, 'earn', earned, systemCommandSource(derivedId(p.payment, 'earn')))
  },
  'rewards.return': async (p: { folder: string; assignment: string }) => {
    const assignment = await assignmentOf(store, p.folder, p.assignment)
    if (assignment) await giveBack(store, assignment.player, { assignment: p.assignment }, derivedId(p.assignment, 'give back', 'ended'))
  },
  /**
   * An hour after an attempt to assign, gives back the discounts if the assignment did not take place or has ended without a review: a late
   * copy of the request may have reserved them again after `rewards.return`. If a newer attempt has recorded `TermsKept`, that attempt's
   * own errand checks instead.
   */
  'rewards.check': async (p: { folder: string; assignment: string; player: string; kept?: number }, { id }: { id: string }) => {
    const { assignment, kept = 0 } = p
    const found = await assignmentOf(store, p.folder, assignment)
    if (!found || found.hasEnded) await giveBack(store, p.player, { assignment, furtherAttempts: kept }, derivedId(id, 'give back'))
  },
})
