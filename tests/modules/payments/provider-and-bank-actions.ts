import { v7 as newId } from 'uuid'
import type { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import type { PaymentDependencies } from '../../../modules/payments/perform-charge-attempts.ts'
import { loadPayment } from '../../../modules/payments/perform-charge-attempts.ts'
import { loadPurchase, recordPackageSale } from '../../../modules/payments/record-package-sale-and-perform-refund.ts'
import { testCardDetails } from '../../support/test-card-details.ts'
import type { StripeSandboxWithoutWebhooks } from './stripe-sandbox-without-webhooks.ts'

/** A package that the player has bought: the ids of its purchase, charge and payment method. */
export interface BoughtPackage {
  purchase: string
  charge: string
  method: string
}

/** `second`: a charge for a payment that was already paid. */
export type ChargeKind = 'payment' | 'second' | 'package'

/** Buys a package of three folders on the provider's page, and records the sale. */
export async function buyPackage(
  { stripe, gateway }: StripeSandboxWithoutWebhooks,
  deps: PaymentDependencies,
  { customer, player }: { customer: string; player: string },
): Promise<BoughtPackage> {
  const visit = { customer, payer: player, returnUrl: 'http://ours.test/', cancelUrl: 'http://ours.test/', key: newId() }
  const page = await gateway.checkout({ ...visit, item: { name: 'Triple', amount: 4200 }, metadata: { package: 'triple', folders: '3' } })
  await fetch(page.url, { method: 'POST', body: new URLSearchParams(testCardDetails()), redirect: 'manual' })
  const { purchase } = (await recordPackageSale(deps, page.session))!
  const { charge } = (await loadPurchase(deps.store, purchase)).bought!
  return { purchase, charge, method: (await stripe.charges.retrieve(charge)).payment_method! }
}

/** Actions outside our code on one payment and its package: by the provider, the banks, and people on their pages. */
export function providerAndBankActions(
  { stripe, gateway: real, account, control }: StripeSandboxWithoutWebhooks,
  {
    plain,
    id,
    cards,
    bought,
  }: {
    plain: ReturnType<typeof memoryStore>
    id: string
    /** The ids of the player's cards at the provider, by kind. */
    cards: Record<string, string>
    bought: BoughtPackage | null
  },
) {
  const charges = async () => (await stripe.charges.list({ transfer_group: id, limit: 100 })).data
  const kinds = ['payment_intent.succeeded', 'charge.refunded', 'refund.updated', 'charge.dispute.created', 'charge.dispute.closed']
  /** The charges of this simulation, including that of its package. */
  const ours = async () => [...(await charges()), ...(bought ? [await stripe.charges.retrieve(bought.charge)] : [])]
  const refundsOf = async () =>
    (await Promise.all((await ours()).filter(c => c.paid).map(c => stripe.refunds.list({ charge: c.id, limit: 100 })))).flatMap(r => r.data)
  const disputesOf = async (charge: string) => (await stripe.disputes.list({ charge, limit: 100 })).data
  const chargeOf = async (which: ChargeKind) => {
    if (which === 'package') return bought?.charge
    const p = await loadPayment(plain, id)
    return which === 'second' ? Object.keys(p.doubled)[0] : p.paid?.charge
  }
  let isBalanceEmpty = false
  return {
    charges,
    isBalanceEmpty: () => isBalanceEmpty,
    /** Empties the platform's balance, so that transfers are only possible from a charge. */
    emptyBalance: () => {
      isBalanceEmpty = true
      return control({ startingCents: -100_000_000 })
    },
    clearFaults: () => {
      isBalanceEmpty = false
      return control({ calls: [], startingCents: 1_000_000 })
    },
    chargesOf: async (customer: string) => (await stripe.charges.list({ customer, limit: 100 })).data,
    /** Webhooks for everything that has happened so far. Each dispute also has one saying that it is closed, even if it is still open. */
    async pendingWebhooks() {
      const all = await ours()
      const objects: Record<string, string[]> = {
        'payment_intent.succeeded': all.filter(c => c.paid).map(c => c.payment_intent as string),
        'charge.refunded': all.filter(c => c.amount_refunded).map(c => c.id),
        'refund.updated': (await refundsOf()).map(r => r.id),
        'charge.dispute.created': (await Promise.all(all.filter(c => c.disputed).map(c => disputesOf(c.id)))).flat().map(d => d.id),
      }
      objects['charge.dispute.closed'] = objects['charge.dispute.created']!
      return kinds.flatMap(type => objects[type]!.map(object => ({ type, object })))
    },
    /** Acts as the player: opens the bank's page for a failed attempt and confirms the payment. */
    async authenticate() {
      const p = await loadPayment(plain, id)
      const [[attempt, intent] = []] = Object.entries(p.open)
      if (!attempt || !intent) return
      const method = p.attempts[attempt]!.card.id
      const page = await real.authenticatePage({ intent, method, returnUrl: 'http://ours.test/', key: newId() }).catch(() => null)
      if (page?.outcome !== 'page') return
      await fetch(page.url, { method: 'POST', body: new URLSearchParams({ answer: 'complete' }), redirect: 'manual' })
    },
    /** Makes a refund in the provider's dashboard. */
    async refundInDashboard(which: 'payment' | 'package', amount: number) {
      const charge = await chargeOf(which)
      if (charge) await stripe.refunds.create({ charge, amount }).catch(() => {})
    },
    /** Sets whether the banks delay refunds from now on. */
    async slowBanks(yes: boolean) {
      const methods = [...Object.values(cards), ...(bought ? [bought.method] : [])]
      const number = yes ? '4000000000007726' : '4242424242424242'
      await control({
        cards: Object.fromEntries(methods.filter(m => m !== cards.declined && m !== cards.authenticate).map(m => [m, number])),
      })
    },
    /** Sets the bank's result for the `n`th refund that it can still change, counted cyclically. A refund that failed stays failed. */
    async settleRefund(n: number, status: 'succeeded' | 'failed') {
      const open = (await refundsOf()).filter(r => r.status === 'pending' || (status === 'failed' && r.status === 'succeeded'))
      if (open.length) await control({ refunds: { [open[n % open.length]!.id]: status } })
    },
    async settleAll(status: 'succeeded' | 'failed') {
      const open = (await refundsOf()).filter(r => r.status === 'pending')
      if (open.length) await control({ refunds: Object.fromEntries(open.map(r => [r.id, status])) })
    },
    async dispute(which: ChargeKind = 'payment') {
      const charge = await chargeOf(which)
      const now = charge && (await stripe.charges.retrieve(charge))
      if (now && !now.refunded && !now.disputed) await control({ disputes: [charge] })
    },
    async endDispute(outcome: 'won' | 'lost', which: ChargeKind = 'payment') {
      const charge = await chargeOf(which)
      // A dispute that was lost may still be won.
      const open =
        charge && (await disputesOf(charge)).find(d => d.status === 'needs_response' || (d.status === 'lost' && outcome === 'won'))
      if (open) await control({ outcomes: { [open.id]: outcome } })
    },
    /** Makes the provider refuse the next transfer or reversal, and any retry with the same idempotency key for a day. */
    refuse: () => control({ calls: [{ match: 'POST /v1/transfers', how: 'refuse' }] }),
    /** Pays out the account's whole balance to the instructor's bank, so that no transfer can be reversed. */
    emptyAccount: () => control({ payouts: [account] }),
    /** Transfers money to the instructor, as if for another session, unless the platform's balance is too low. */
    fundAccount: (amount: number) =>
      stripe.transfers.create({ amount, currency: 'usd', destination: account }).catch(error => {
        if (error.code !== 'balance_insufficient') throw error
      }),
    /** Makes the card network give the money back before there is a formal dispute. */
    async preventDispute(which: ChargeKind = 'payment') {
      const charge = await chargeOf(which)
      const now = charge && (await stripe.charges.retrieve(charge))
      if (now && !now.refunded && !now.disputed) await control({ prevented: [charge] })
    },
    refundedAt: async (charge: string) => (await stripe.charges.retrieve(charge)).amount_refunded,
    async transfers() {
      const group = bought && (await stripe.charges.retrieve(bought.charge)).transfer_group
      const groups = [id, ...(group ? [group] : [])]
      return (await Promise.all(groups.map(transfer_group => stripe.transfers.list({ transfer_group, limit: 100 })))).flatMap(t => t.data)
    },
  }
}
