import { v7 as newId } from 'uuid'
import { derivedId, fold, handle } from '../kernel/decider.ts'
import type { EventStore } from '../kernel/store.ts'
import type { Till } from './charge.ts'
import type { Gateway } from './gateway.ts'
import { type SavedCard, wallet } from './payment-method.ts'
import { payoutAccount } from './payout-account.ts'
import { PACKAGES, type PackageType } from './policy.ts'
import { purchase } from './purchase.ts'

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

/** Books the package that a hosted page sold; null while it is not paid. */
export async function bookPackage(
  { store, gateway }: Till,
  session: string,
): Promise<{ player: string; purchase: string; folders: number } | null> {
  const done = await gateway.checkoutDone(session)
  const type = done.metadata.package as PackageType
  if (!done.paid || !done.intent || !done.charge || !(type in PACKAGES)) return null
  const { player, amount, intent, charge } = done
  const id = derivedId('purchase', session)
  const bought = { player, package: type, folders: Number(done.metadata.folders), amount, session, intent, charge }
  await handle(store, purchase, id, 'complete', bought, { command: derivedId(session, 'complete'), actor: player })
  return { player, purchase: id, folders: bought.folders }
}

/** Reads a payout account at the provider and notes what changed. */
export async function readAccount(store: EventStore, gateway: Gateway, instructor: string) {
  const { account } = fold(payoutAccount, await store.read(`payout-${instructor}`))
  if (account) {
    const { payoutsEnabled, detailsSubmitted, requirements } = await gateway.accountStatus(account)
    const now = { ready: payoutsEnabled, submitted: detailsSubmitted, requirements }
    // The same may be said again after something else was said between: no command is ever "done before".
    await handle(store, payoutAccount, instructor, 'change', now, { command: newId(), actor: 'system' })
  }
  return fold(payoutAccount, await store.read(`payout-${instructor}`))
}
