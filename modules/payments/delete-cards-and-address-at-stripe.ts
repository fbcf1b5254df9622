import { loadState } from '../kernel/decider.ts'
import type { EventStore } from '../kernel/store.ts'
import type { CardGateway } from './stripe/stripe-cards.ts'
import { walletDecider } from './wallet.ts'

/** Deletes what the payment provider stores about somebody who paid: saved cards and the billing address. Idempotent. */
export async function deleteCardsAndAddressAtStripe(
  { store, gateway }: { store: EventStore; gateway: Pick<CardGateway, 'removeCard' | 'removeAddress'> },
  payer: string,
): Promise<void> {
  const { cards, customer } = await loadState(store, walletDecider, payer)
  for (const { card } of cards) await gateway.removeCard(card)
  if (customer) await gateway.removeAddress(customer)
}
