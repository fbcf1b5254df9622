import { derivedId, fold, handle } from '../kernel/decider.ts'
import type { Till } from './charge.ts'
import { type SavedCard, wallet } from './wallet.ts'

/** The player's customer at the provider, made when it is first needed. */
export async function customerOf({ store, gateway }: Till, player: string): Promise<string> {
  const known = fold(wallet, await store.read(`wallet-${player}`)).customer
  if (known) return known
  const customer = await gateway.customer(player, derivedId(player, 'customer'))
  await handle(store, wallet, player, 'begin', { customer }, { command: derivedId(player, 'customer'), actor: player })
  return fold(wallet, await store.read(`wallet-${player}`)).customer!
}

/** The card that a hosted page saved, put into its player's wallet; null while there is none. */
export async function saveCard({ store, gateway }: Till, session: string): Promise<{ player: string; card: SavedCard } | null> {
  const done = await gateway.setupDone(session)
  if (!done) return null
  const { method: card, ...rest } = done.method
  const saved = { card, ...rest }
  await handle(store, wallet, done.player, 'save', saved, { command: derivedId(session, 'save'), actor: done.player })
  return { player: done.player, card: saved }
}
