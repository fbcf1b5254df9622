import { v7 as newId } from 'uuid'
import { derivedId, handleCommand, loadState, systemCommandSource } from '../kernel/decider.ts'
import type { EventStore } from '../kernel/store.ts'
import type { PaymentDependencies } from './perform-charge-attempts.ts'
import { type SavedCard, walletDecider } from './wallet.ts'

/** The payer's customer id at the payment provider, created on first use. `payer` is the id of a player or of a guardian. */
export async function findOrCreateCustomer({ store, gateway }: PaymentDependencies, payer: string): Promise<string> {
  const known = (await loadState(store, walletDecider, payer)).customer
  if (known) return known
  const customer = await gateway.customer(payer, derivedId(payer, 'customer'))
  await handleCommand(store, walletDecider, payer, 'begin', { customer }, { command: derivedId(payer, 'customer'), actor: payer })
  return (await loadState(store, walletDecider, payer)).customer!
}

/** Adds the card that was entered on a hosted page to its owner's wallet. @returns null if no card has been entered yet */
export async function saveCardFromHostedPage(
  { store, gateway }: PaymentDependencies,
  session: string,
): Promise<{ payer: string; card: SavedCard } | null> {
  const done = await gateway.fetchSetupCard(session)
  if (!done) return null
  const { method: card, ...rest } = done.method
  const saved = { card, ...rest }
  await handleCommand(store, walletDecider, done.payer, 'save', saved, { command: derivedId(session, 'save'), actor: done.payer })
  return { payer: done.payer, card: saved }
}

/**
 * Keeps the payer from removing their last card before `until` (ISO 8601), because read models may not show the new assignment yet.
 * @throws CommandRefused if the payer has no card
 */
export const blockLastCardRemovalUntil = (store: EventStore, payer: string, assignment: string, until: string) =>
  handleCommand(store, walletDecider, payer, 'hold', { assignment, until }, { command: newId(), actor: payer })

/** Ends `blockLastCardRemovalUntil` early, for an assignment that did not happen. */
export const unblockLastCardRemoval = (store: EventStore, payer: string, assignment: string) =>
  handleCommand(store, walletDecider, payer, 'release', { assignment }, systemCommandSource())
