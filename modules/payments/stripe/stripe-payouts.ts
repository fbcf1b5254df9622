import type Stripe from 'stripe'
import { CURRENCY, stripeIdOf, withGatewayErrors } from './client.ts'

export interface Transfer {
  id: string
  payment: string | null
  destination: string
  amount: number
  /** Cents taken back so far. */
  reversed: number
}
export interface PayoutAccountStatus {
  /** Whether the account accepts transfers. If so, shares are transferred even if Stripe still requires other information. */
  takesTransfers: boolean
  /** Information that Stripe now requires from the owner, by Stripe's field names, such as `identity.individual.date_of_birth`. */
  requirements: string[]
}
/** Instructors' payout accounts, and transfers to them. */
export interface PayoutGateway {
  /**
   * Transfers `amount` cents to a payout account: the `nth` transfer of a payment. With `source`, Stripe makes the transfer once
   * that charge's money is available, and `amount` cannot exceed what is left of the charge. Without `source`, it is paid from our balance.
   */
  transfer(o: { payment: string; nth: number; amount: number; destination: string; source?: string; key: string }): Promise<string>
  /** Finds the `nth` transfer of a payment. `charge`: a charge that may have funded it, whose transfer group is searched as well. */
  findTransfer(o: { payment: string; nth: number; charge?: string }): Promise<Transfer | null>
  /** Reverses `amount` cents of a transfer. @returns the id of the reversal */
  reverse(transfer: string, amount: number, key: string): Promise<string>

  payoutAccount(instructor: string, email: string, key: string): Promise<string>
  /** The URL of Stripe's form for instructors. It works once and for a few minutes, so create one for each click. */
  onboardingLink(account: string, o: { returnUrl: string; refreshUrl: string }): Promise<string>
  /** The URL of the account's dashboard at Stripe, which exists only once no information is missing. */
  dashboardLink(account: string): Promise<string>
  accountStatus(account: string): Promise<PayoutAccountStatus>
  /** The instructor for whom we created this payout account; null for any other account. */
  instructorIdOfPayoutAccount(account: string): Promise<string | null>
  fetchTransfer(transfer: string): Promise<Transfer>
  /** How many cents reversals can take back from a payout account's balance now. */
  availableCents(account: string): Promise<number>
}

const transferOf = (t: Stripe.Transfer): Transfer => ({
  id: t.id,
  payment: t.metadata.payment ?? null,
  destination: stripeIdOf(t.destination)!,
  amount: t.amount,
  reversed: t.amount_reversed,
})

export const stripePayouts = (stripe: Stripe): PayoutGateway => ({
  async transfer({ payment, nth, amount, destination, source, key }) {
    const made = await withGatewayErrors(
      stripe.transfers.create(
        {
          amount,
          currency: CURRENCY,
          destination,
          metadata: { payment, nth },
          // Stripe puts a transfer that a charge funds into that charge's transfer group and accepts no other group.
          ...(source ? { source_transaction: source } : { transfer_group: payment }),
        },
        { idempotencyKey: key },
      ),
    )
    return made.id
  },
  async findTransfer({ payment, nth, charge }) {
    const groups = [payment, charge && (await withGatewayErrors(stripe.charges.retrieve(charge))).transfer_group]
    for (const transfer_group of groups) {
      if (!transfer_group) continue
      const { data } = await withGatewayErrors(stripe.transfers.list({ transfer_group, limit: 100 }))
      // Transfers that were made before `nth` was recorded have no number; each of them is the first transfer of its payment.
      const existingTransfer = data.find(t => t.metadata.payment === payment && (t.metadata.nth ?? '1') === String(nth))
      if (existingTransfer) return transferOf(existingTransfer)
    }
    return null
  },
  async reverse(transfer, amount, key) {
    return (await withGatewayErrors(stripe.transfers.createReversal(transfer, { amount }, { idempotencyKey: key }))).id
  },
  async fetchTransfer(transfer) {
    return transferOf(await withGatewayErrors(stripe.transfers.retrieve(transfer)))
  },
  async availableCents(account) {
    const { available } = await withGatewayErrors(stripe.balance.retrieve({}, { stripeAccount: account }))
    return Math.max(0, available.find(({ currency }) => currency === CURRENCY)?.amount ?? 0)
  },

  async payoutAccount(instructor, email, key) {
    const account = await withGatewayErrors(
      stripe.v2.core.accounts.create(
        {
          contact_email: email,
          dashboard: 'express',
          identity: { country: 'us', entity_type: 'individual' },
          configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } } },
          defaults: { currency: CURRENCY, responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
          metadata: { instructor },
        },
        { idempotencyKey: key },
      ),
    )
    return account.id
  },
  async onboardingLink(account, { returnUrl, refreshUrl }) {
    const link = await withGatewayErrors(
      stripe.v2.core.accountLinks.create({
        account,
        use_case: {
          type: 'account_onboarding',
          account_onboarding: { return_url: returnUrl, refresh_url: refreshUrl },
        },
      }),
    )
    return link.url
  },
  async dashboardLink(account) {
    return (await withGatewayErrors(stripe.accounts.createLoginLink(account))).url
  },
  async instructorIdOfPayoutAccount(account) {
    return (await withGatewayErrors(stripe.v2.core.accounts.retrieve(account))).metadata?.instructor ?? null
  },
  async accountStatus(account) {
    const { configuration, requirements } = await withGatewayErrors(
      stripe.v2.core.accounts.retrieve(account, { include: ['configuration.recipient', 'requirements'] }),
    )
    const due = (requirements?.entries ?? []).filter(
      ({ awaiting_action_from, minimum_deadline }) => awaiting_action_from === 'user' && minimum_deadline.status !== 'eventually_due',
    )
    return {
      takesTransfers: configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status === 'active',
      requirements: [...new Set(due.map(({ description }) => description))],
    }
  },
})
