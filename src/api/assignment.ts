import { v7 as newId } from 'uuid'
import type { Quote } from '../../modules/folders/contract.ts'
import { type CommandSource, derivedId, handle, load } from '../../modules/kernel/decider.ts'
import { Refused } from '../../modules/kernel/store.ts'
import { holdCard } from '../../modules/payments/cards.ts'
import { payment } from '../../modules/payments/payment.ts'
import { CARD_HOLD_MINUTES } from '../../modules/payments/policy.ts'
import { PRICE_CHANGED, quote, type Terms } from '../../modules/payments/pricing.ts'
import { cardForFeedback, wallet } from '../../modules/payments/wallet.ts'
import { assertNoDeletionDue } from '../../modules/privacy/account.ts'
import { referrerOf } from '../../modules/rewards/codes.ts'
import { perks, termsOf } from '../../modules/rewards/perks.ts'
import { unsettledState } from '../../projections/payments.ts'
import type { Deps } from './deps.ts'

/** What stood on the player's screen, cents. */
type QuotedPrice = Pick<Quote, 'total' | 'atMost'>

/** What this player's next assignment gets off its price. Sets nothing aside: for the quote. */
export async function nextTerms({ sql, store }: Pick<Deps, 'sql' | 'store'>, player: string): Promise<Terms> {
  const [p, referrer] = await Promise.all([load(store, perks, player), referrerOf(sql, player)])
  return termsOf(p, referrer)
}

/**
 * May this player assign this folder, and on which terms? Holds the card, binds the assignment's id to the folder and sets the terms aside,
 * so the same assignment gets the same answer again. What comes to nothing is given back: by `giveBack` where that is known at once, else in
 * an hour. `seen` is the price that stood on the screen.
 * @throws Refused `card-needed`, `unsettled`, `overdue`, `price-changed`, `assigned-before`
 */
export async function prepareAssignment(
  { sql, store, clock }: Pick<Deps, 'sql' | 'store' | 'clock'>,
  c: { assignment: string; folder: string; player: string; instructor: string; videos: readonly { bytes: number }[]; seen: QuotedPrice },
  by: CommandSource,
): Promise<{ terms: Terms; quote: Quote; giveBack(): Promise<unknown> }> {
  const { assignment, folder, player, seen } = c
  await assertNoDeletionDue(store, player)
  cardForFeedback(await load(store, wallet, player))
  const stands = await unsettledState(sql, player, clock())
  if (stands === 'failed') throw new Refused('A payment failed. Settle it first, then assign this folder.', 'unsettled')
  if (stands === 'overdue') throw new Refused('A payment is overdue. Settle it first, then assign this folder.', 'overdue')

  const [p, referrer] = await Promise.all([load(store, perks, player), referrerOf(sql, player)])
  const terms = p.reserved[assignment]?.terms ?? termsOf(p, referrer)
  const priced = quote({ videos: c.videos, terms })
  if (priced.total !== seen.total || priced.atMost !== seen.atMost) throw new Refused(PRICE_CHANGED, 'price-changed')

  const step = (what: string) => ({ ...by, command: derivedId(by.command, what) })
  const until = new Date(clock().getTime() + CARD_HOLD_MINUTES * 60_000).toISOString()
  await holdCard(store, player, assignment, until)
  await handle(store, payment, assignment, 'agree', { folder, player, instructor: c.instructor }, step('agree'))
  // Each try is a command of its own, also of a request that is sent again: what it set aside then may have gone back since.
  const anew = () => ({ ...by, command: newId() })
  const { events: set } = await handle(store, perks, player, 'reserve', { assignment, folder, player, referrer, terms }, anew())
  const fresh = set.some(e => e.type === 'TermsReserved')
  // Only what was set aside here, and only where nobody has tried the same assignment since: then none of it can have come about.
  const giveBack = async () => fresh && handle(store, perks, player, 'giveBack', { assignment, kept: 0 }, anew())
  return { terms: { ...terms, atMost: priced.atMost }, quote: priced, giveBack }
}
