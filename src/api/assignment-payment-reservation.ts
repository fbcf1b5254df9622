import { v7 as newId } from 'uuid'
import type { Payer } from '../../modules/accounts/payer.ts'
import type { Quote } from '../../modules/folders/contract.ts'
import { type CommandSource, derivedId, handleCommand, loadState, systemCommandSource } from '../../modules/kernel/decider.ts'
import { CommandRefused } from '../../modules/kernel/store.ts'
import { allowanceDecider, monthOf } from '../../modules/payments/allowance.ts'
import { isAssignmentInEffect } from '../../modules/payments/is-assignment-in-effect.ts'
import { paymentDecider } from '../../modules/payments/payment.ts'
import { LAST_CARD_REMOVAL_BLOCK_MINUTES } from '../../modules/payments/policy.ts'
import { PRICE_CHANGED_MESSAGE, type PriceTerms, quotePriceBeforeReview } from '../../modules/payments/pricing.ts'
import { blockLastCardRemovalUntil } from '../../modules/payments/stripe-customer-and-saved-cards.ts'
import { assertHasAnyCard, hasValidCard } from '../../modules/payments/wallet.ts'
import { assertNoDeletionScheduled } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { creditsAndPointsDecider, priceTermsOf } from '../../modules/rewards/credits-and-points-decider.ts'
import { referralOfUser } from '../../modules/rewards/referral-codes-table.ts'
import { DEFAULT_TIME_ZONE } from '../../modules/time-zone-default-and-validation.ts'
import { paymentBlockingNewAssignments } from '../../projections/deletion-obstacles.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { loadWallet } from './cards-and-bill-payments.ts'

/** The price that the player saw on the screen, in cents. */
type QuotedPrice = Pick<Quote, 'total' | 'atMost'>

/** The discounts that this player's next assignment gets. Reserves nothing, so a quote can use it. */
export async function nextPriceTerms({ sql, store }: Pick<AppDependencies, 'sql' | 'store'>, player: string): Promise<PriceTerms> {
  const [p, referral] = await Promise.all([loadState(store, creditsAndPointsDecider, player), referralOfUser(sql, player)])
  return priceTermsOf(p, referral)
}

/**
 * @param nextStep a sentence that tells the person on the screen to settle the earlier payment first
 * @throws CommandRefused `unsettled`, `overdue` if the payer has to settle an earlier payment of this player before a new session
 */
export async function assertNoFailedOrOverduePayment(
  { sql, clock }: Pick<AppDependencies, 'sql' | 'clock'>,
  player: string,
  nextStep: string,
) {
  const state = await paymentBlockingNewAssignments(sql, player, clock())
  if (!state) return
  const obstacleSentence = state === 'failed' ? 'A payment failed.' : 'A payment is overdue.'
  throw new CommandRefused(`${obstacleSentence} ${nextStep}`, state === 'failed' ? 'unsettled' : 'overdue')
}

/**
 * Keeps the payer from removing their last card until the read models show the assignment.
 * @throws CommandRefused `card-needed`
 */
export const blockLastCardRemovalTemporarily = (
  { store, clock }: Pick<AppDependencies, 'store' | 'clock'>,
  payer: string,
  assignment: string,
) =>
  blockLastCardRemovalUntil(store, payer, assignment, new Date(clock().getTime() + LAST_CARD_REMOVAL_BLOCK_MINUTES * 60_000).toISOString())

/**
 * Counts a minor's session, at its highest possible price, toward the monthly limit. `attempt` identifies this attempt to assign it.
 * @throws CommandRefused `approval-needed` unless it is `approved` or within the limit
 */
export function countTowardMonthlyLimit(
  { store, clock }: Pick<AppDependencies, 'store' | 'clock'>,
  c: { assignment: string; folder: string; player: string; attempt: string; guardian: string; cents: number; approved: boolean },
) {
  const month = monthOf(clock(), DEFAULT_TIME_ZONE)
  return handleCommand(
    store,
    allowanceDecider,
    c.player,
    'count',
    { ...c, month },
    { command: newId(), actor: c.approved ? c.guardian : c.player },
  )
}

/** Stops counting a session toward the monthly limit after this attempt to assign it failed, unless another attempt has followed. */
export const uncountFromMonthlyLimit = (
  { store }: Pick<AppDependencies, 'store'>,
  { player, assignment, attempt }: { player: string; assignment: string; attempt: string },
) => handleCommand(store, allowanceDecider, player, 'correct', { assignment, cents: 0, attempt }, systemCommandSource())

interface Assigning {
  assignment: string
  folder: string
  player: string
  payer: Payer
  instructor: string
  videos: readonly { bytes: number }[]
  seen: QuotedPrice
}
interface ReservedAssignment {
  terms: PriceTerms
  quote: Quote
  /** The guardian has to approve first: the discounts are reserved, but the card may still be removed and the limit is unaffected. */
  needsApproval: boolean
  giveBack(): Promise<unknown>
}

/**
 * Checks whether this player may assign this folder, and on which terms. Unless a guardian has to approve first, blocks the removal of the
 * payer's last card and counts a minor's session toward the monthly limit. Binds the assignment's id to the folder and reserves the
 * discounts, so a repeated request gets the same result. If the assignment fails, `giveBack` immediately releases the discounts and stops
 * counting the session; if it is never called, the errands `rewards.check` and `allowance.check` do so later. `seen` is the price that the
 * player saw.
 * @throws CommandRefused `deletion-scheduled`, `card-needed`, `unsettled`, `overdue`, `price-changed`, `assigned-before`
 */
export async function reserveForAssignment(
  deps: Pick<AppDependencies, 'sql' | 'store' | 'clock'>,
  c: Assigning,
  by: CommandSource,
): Promise<ReservedAssignment> {
  const { sql, store } = deps
  const { assignment, folder, player, payer, seen } = c
  await assertNoDeletionScheduled(store, player, { isMinor: payer.isGuardian })
  if (!payer.isGuardian) assertHasAnyCard(await loadWallet(store, payer.id))
  const nextStep = `${payer.isGuardian ? 'Ask your parent or guardian to settle it first' : 'Settle it first'}, then assign this folder.`
  await assertNoFailedOrOverduePayment(deps, player, nextStep)

  const [p, referral] = await Promise.all([loadState(store, creditsAndPointsDecider, player), referralOfUser(sql, player)])
  const terms = p.reserved[assignment]?.terms ?? priceTermsOf(p, referral)
  const priced = quotePriceBeforeReview({ videos: c.videos, terms })
  if (priced.total !== seen.total || priced.atMost !== seen.atMost) throw new CommandRefused(PRICE_CHANGED_MESSAGE, 'price-changed')

  const attempt = newId()
  const needsApproval = payer.isGuardian && !(await countTowardLimitIfItFits(deps, { ...c, attempt }, payer.id, priced.atMost))
  const step = (what: string) => ({ ...by, command: derivedId(by.command, what) })
  if (!needsApproval) await blockLastCardRemovalTemporarily(deps, payer.id, assignment)
  await handleCommand(store, paymentDecider, assignment, 'agree', { folder, player, instructor: c.instructor }, step('agree'))
  // Each attempt is a new command, even for a repeated request, because the reservation of an earlier attempt may have been released since.
  const newCommand = () => ({ ...by, command: newId() })
  const { events: set } = await handleCommand(
    store,
    creditsAndPointsDecider,
    player,
    'reserve',
    { assignment, folder, player, referral, terms },
    newCommand(),
  )
  const fresh = set.some(e => e.type === 'TermsReserved')
  // Release the discounts only if this request reserved them and no other request has tried the same assignment since. Otherwise the
  // assignment may have succeeded.
  const giveBack = async () => {
    // A copy of this request may have assigned the folder, and then the session still counts.
    if (payer.isGuardian && !(await isAssignmentInEffect(store, folder, assignment)))
      await uncountFromMonthlyLimit(deps, { player, assignment, attempt })
    return fresh && handleCommand(store, creditsAndPointsDecider, player, 'giveBack', { assignment, furtherAttempts: 0 }, newCommand())
  }
  const paidByGuardian = payer.isGuardian && !needsApproval && { payer: payer.id }
  return { terms: { ...terms, atMost: priced.atMost, ...paidByGuardian }, quote: priced, needsApproval, giveBack }
}

/**
 * Whether a session needs no approval: it fits into the guardian's monthly limit, and the guardian has a saved card that has not expired.
 * If so, this also counts the session toward the limit.
 */
async function countTowardLimitIfItFits(
  deps: Pick<AppDependencies, 'store' | 'clock'>,
  { assignment, folder, player, attempt }: Assigning & { attempt: string },
  guardian: string,
  cents: number,
): Promise<boolean> {
  if (!hasValidCard(await loadWallet(deps.store, guardian), deps.clock())) return false
  try {
    await countTowardMonthlyLimit(deps, { assignment, folder, player, attempt, guardian, cents, approved: false })
    return true
  } catch (error) {
    if (error instanceof CommandRefused && error.code === 'approval-needed') return false
    throw error
  }
}
