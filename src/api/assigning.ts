import { type By, derivedId, fold, handle } from '../../modules/kernel/decider.ts'
import { Refused } from '../../modules/kernel/store.ts'
import { payment } from '../../modules/payments/payment.ts'
import { fullPrice, type Terms } from '../../modules/payments/pricing.ts'
import { wallet } from '../../modules/payments/wallet.ts'
import { referrerOf } from '../../modules/rewards/codes.ts'
import { perks, termsOf } from '../../modules/rewards/perks.ts'
import { owes } from '../../projections/payments.ts'
import type { Deps } from './deps.ts'

/** What this player's next assignment gets off its price. Sets nothing aside: for the quote. */
export async function nextTerms({ sql, store }: Pick<Deps, 'sql' | 'store'>, player: string): Promise<Terms> {
  const [events, referrer] = await Promise.all([store.read(`perks-${player}`), referrerOf(sql, player)])
  return termsOf(fold(perks, events), referrer)
}

/**
 * May this player assign this folder, and on which terms? Binds the assignment's id to the folder and sets the terms aside, so the same
 * assignment gets the same answer again. What comes to nothing is given back.
 * @throws Refused `card-needed`, `overdue`, `assigned-before`
 */
export async function assignable(
  { sql, store, clock }: Pick<Deps, 'sql' | 'store' | 'clock'>,
  c: { assignment: string; folder: string; player: string; instructor: string },
  by: By,
): Promise<Terms> {
  const { assignment, folder, player } = c
  if (!fold(wallet, await store.read(`wallet-${player}`)).cards.length) {
    throw new Refused('Save a card first. You pay only after the feedback.', 'card-needed')
  }
  if (await owes(sql, player, clock())) {
    throw new Refused('A payment is overdue. Settle it first, then assign this folder.', 'overdue')
  }
  const step = (what: string) => ({ ...by, command: derivedId(by.command, what) })
  await handle(store, payment, assignment, 'agree', { folder, player, instructor: c.instructor }, step('agree'))
  const referrer = await referrerOf(sql, player)
  await handle(store, perks, player, 'reserve', { assignment, folder, player, referrer }, step('reserve'))
  return fold(perks, await store.read(`perks-${player}`)).reserved[assignment]?.terms ?? fullPrice
}
