import Stripe from 'stripe'

/** A saved card. `method` is what is charged. */
export interface Card {
  method: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
}

/** Why a card was not charged. `authentication-needed`: the bank wants its customer (`authenticatePage`); for the rest, offer another card. */
export type Reason = 'expired-card' | 'insufficient-funds' | 'incorrect-details' | 'authentication-needed' | 'declined' | 'processing-error'

export interface Succeeded {
  outcome: 'succeeded'
  intent: string
  charge: string
  /** Cents. */
  amount: number
}
export interface Failed {
  outcome: 'failed'
  reason: Reason
  intent?: string
  /** The bank's own code, for the audit; never shown to the player (it may say that a card was stolen). */
  declineCode?: string
  clientSecret?: string
}
/** The player has something left to do at their bank, or abandoned it. Nothing was charged. */
export interface Open {
  outcome: 'open'
  intent: string
}
export interface Canceled {
  outcome: 'canceled'
  intent: string
}

export interface Page {
  url: string
  session: string
}

type Metadata = Record<string, string>

/** Money, as we speak of it: integer cents of US dollars, ids as strings, times ISO. Every method may throw `Unsure`, `Later` or `Misused`. */
export interface Gateway {
  /** A customer for a player, known by id alone. */
  customer(player: string, key: string): Promise<string>

  /** Where a player enters a card. `returnUrl` gets `setup=…` appended: the session. */
  setupPage(o: { customer: string; player: string; returnUrl: string; cancelUrl: string; key: string }): Promise<Page>
  /** The card a session saved; null while it has not. Check that `player` is the one who asks. */
  setupDone(session: string): Promise<{ customer: string; player: string; method: Card } | null>
  /** null once it was removed. */
  card(method: string): Promise<Card | null>
  /** The customer's cards, newest first. */
  cards(customer: string): Promise<Card[]>
  /** Twice is fine. */
  removeCard(method: string): Promise<void>

  /**
   * Charges a saved card without its owner present. `amount` in cents, at least `MINIMUM_CHARGE`.
   * @throws Unsure where the charge may have happened: ask `findCharge`, then try again with the same key
   */
  charge(o: {
    payment: string
    attempt: string
    customer: string
    method: string
    amount: number
    metadata?: Metadata
    key: string
  }): Promise<Succeeded | Failed>
  /** What became of an attempt to charge; null if there was none that reached a bank. */
  findCharge(payment: string, attempt: string): Promise<Succeeded | Failed | Open | Canceled | null>
  /** Tries a failed intent again with its owner present: a page of the bank to send the player to, or the result if the bank asks nothing. */
  authenticatePage(o: {
    intent: string
    method: string
    returnUrl: string
    key: string
  }): Promise<{ outcome: 'page'; url: string; intent: string } | Succeeded | Failed>
  /** What became of an intent. */
  paid(intent: string): Promise<Succeeded | Failed | Open | Canceled>
  /** Makes sure that an intent is never paid (before another attempt with another card); answers `succeeded` if it was already. */
  abandon(intent: string, key: string): Promise<Succeeded | Canceled>

  /** Sells something on a hosted page. `metadata` comes back with `checkoutDone`; `returnUrl` gets `session=…` appended. */
  checkout(o: {
    customer: string
    player: string
    item: { name: string; amount: number }
    metadata: Metadata
    returnUrl: string
    cancelUrl: string
    key: string
  }): Promise<Page>
  checkoutDone(session: string): Promise<{
    paid: boolean
    player: string
    customer: string
    intent: string | null
    charge: string | null
    amount: number
    metadata: Metadata
  }>

  /** `refund` is our id of it, `amount` cents. */
  refund(o: { refund: string; charge: string; amount: number; reason: RefundReason; key: string }): Promise<Refund>
  findRefund(charge: string, refund: string): Promise<Refund | null>

  /**
   * Passes on `amount` cents to a payout account. With `sourceCharge` it waits for that charge's money to arrive and may not exceed the
   * charge; without (credits, or a share above the discounted price) it comes out of our balance.
   */
  transfer(o: { payment: string; amount: number; destination: string; sourceCharge?: string; key: string }): Promise<string>
  findTransfer(payment: string): Promise<Transfer | null>
  /** Takes back `amount` cents of a transfer; the id of the reversal. */
  reverse(transfer: string, amount: number, key: string): Promise<string>

  payoutAccount(instructor: string, email: string, key: string): Promise<string>
  /** Single use, short-lived: make one for each click. */
  onboardingLink(account: string, o: { returnUrl: string; refreshUrl: string }): Promise<string>
  /** Only once details are submitted. */
  dashboardLink(account: string): Promise<string>
  accountStatus(account: string): Promise<AccountStatus>

  /** Verifies a webhook by its raw body. Trust nothing but the ids: fetch the object again. @throws Forged */
  webhook(rawBody: string | Uint8Array, signatureHeader: string, now?: number): Notice
  fetchCharge(charge: string): Promise<ChargeState>
  fetchTransfer(transfer: string): Promise<Transfer>
  fetchDispute(dispute: string): Promise<Dispute>
}

export type RefundReason = 'duplicate' | 'fraudulent' | 'requested_by_customer'
export interface Refund {
  id: string
  charge: string
  amount: number
  status: 'succeeded' | 'pending' | 'failed'
}
export interface Transfer {
  id: string
  payment: string | null
  destination: string
  amount: number
  /** Cents taken back so far. */
  reversed: number
}
export interface AccountStatus {
  detailsSubmitted: boolean
  payoutsEnabled: boolean
  /** What Stripe still wants to know, in its own words. */
  requirements: string[]
}
export interface ChargeState {
  id: string
  intent: string | null
  payment: string | null
  attempt: string | null
  paid: boolean
  amount: number
  refunded: number
  disputed: boolean
}
export interface Dispute {
  id: string
  charge: string
  intent: string | null
  amount: number
  status: 'open' | 'won' | 'lost'
  reason: string
}
/** A webhook that is genuine. `object.kind` is Stripe's: `payment_intent`, `checkout.session`, `dispute` … */
export interface Notice {
  id: string
  type: string
  object: { id: string; kind: string }
  created: string
}

/** It may have happened or not: nobody answered, or not with an answer. */
export class Unsure extends Error {}
/** Nothing happened, and the same request may work later (too many requests, or too little balance). */
export class Later extends Error {
  readonly code: string
  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
/** Nothing happened, and asking again will not help. */
export class Misused extends Error {
  readonly code: string
  readonly param?: string
  constructor(message: string, code: string, param?: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
    this.param = param
  }
}
/** A webhook that Stripe did not send, or not lately. */
export class Forged extends Error {}

/** Cents. Stripe charges no less. */
export const MINIMUM_CHARGE = 50
const CURRENCY = 'usd'
const TIMEOUT = 15_000
/** Seconds that a webhook's clock may be off, either way. */
const TOLERANCE = 300

const REASONS: Record<string, Reason> = {
  expired_card: 'expired-card',
  insufficient_funds: 'insufficient-funds',
  authentication_required: 'authentication-needed',
  payment_intent_authentication_failure: 'authentication-needed',
  ...Object.fromEntries(
    [
      ...['incorrect_cvc', 'incorrect_number', 'incorrect_zip', 'incorrect_address', 'incorrect_pin', 'invalid_account'],
      ...['invalid_cvc', 'invalid_number', 'invalid_expiry_month', 'invalid_expiry_year', 'new_account_information_available'],
    ].map(code => [code, 'incorrect-details']),
  ),
  ...Object.fromEntries(
    ['processing_error', 'issuer_not_available', 'reenter_transaction', 'try_again_later'].map(code => [code, 'processing-error']),
  ),
}
/** Codes only, never message text; the bank's code says more than Stripe's. */
const reasonOf = (e: { code?: string; decline_code?: string }): Reason =>
  REASONS[e.decline_code ?? ''] ?? REASONS[e.code ?? ''] ?? 'declined'

const idOf = (o: string | { id: string } | null | undefined) => (typeof o === 'string' ? o : (o?.id ?? null))

/** Awaits Stripe, and says in our words what went wrong. */
async function ask<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (e) {
    throw translated(e)
  }
}

function translated(e: unknown) {
  if (!(e instanceof Stripe.errors.StripeError) || e instanceof Stripe.errors.StripeCardError) return e
  const said = e.code ?? e.rawType ?? e.type
  if (e.statusCode === 429 || said === 'balance_insufficient' || said === 'lock_timeout') return new Later(e.message, said, e)
  const answered = e.statusCode !== undefined && e.statusCode >= 400 && e.statusCode < 500 && e.statusCode !== 409
  return answered ? new Misused(e.message, said, e.param, e) : new Unsure(e.message || 'Stripe did not answer.', { cause: e })
}

const cardOf = (m: Stripe.PaymentMethod): Card => ({
  method: m.id,
  brand: m.card!.brand,
  last4: m.card!.last4,
  expMonth: m.card!.exp_month,
  expYear: m.card!.exp_year,
})

function failedOf(e: { code?: string; decline_code?: string }, intent?: Stripe.PaymentIntent): Failed {
  return {
    outcome: 'failed',
    reason: reasonOf(e),
    ...(intent && { intent: intent.id }),
    ...(e.decline_code && { declineCode: e.decline_code }),
    ...(intent?.client_secret && { clientSecret: intent.client_secret }),
  }
}

function outcomeOf(intent: Stripe.PaymentIntent): Succeeded | Failed | Open | Canceled {
  if (intent.status === 'succeeded')
    return { outcome: 'succeeded', intent: intent.id, charge: idOf(intent.latest_charge)!, amount: intent.amount_received }
  if (intent.status === 'canceled') return { outcome: 'canceled', intent: intent.id }
  if (intent.status === 'requires_payment_method' && intent.last_payment_error) return failedOf(intent.last_payment_error, intent)
  return { outcome: 'open', intent: intent.id }
}

const refundOf = (r: Stripe.Refund): Refund => ({
  id: r.id,
  charge: idOf(r.charge)!,
  amount: r.amount,
  status: r.status === 'succeeded' ? 'succeeded' : r.status === 'failed' || r.status === 'canceled' ? 'failed' : 'pending',
})

const transferOf = (t: Stripe.Transfer): Transfer => ({
  id: t.id,
  payment: t.metadata.payment ?? null,
  destination: idOf(t.destination)!,
  amount: t.amount,
  reversed: t.amount_reversed,
})

/** Stripe fills in the braces, so they must arrive unescaped. */
const withSession = (url: string, as: string) => `${url}${url.includes('?') ? '&' : '?'}${as}={CHECKOUT_SESSION_ID}`

/**
 * The one place that talks to Stripe. `webhookSecret` may hold several, separated by commas; `url` is another server that speaks
 * its API; `timeout` in milliseconds is for one request.
 */
export function stripeGateway(config: { secretKey: string; webhookSecret: string; url?: string; timeout?: number }): Gateway {
  const at = config.url ? new URL(config.url) : undefined
  const stripe = new Stripe(config.secretKey, {
    apiVersion: '2026-10-28.endive',
    timeout: config.timeout ?? TIMEOUT,
    maxNetworkRetries: 0, // errands try again, with the same key
    telemetry: false,
    ...(at && { protocol: at.protocol === 'https:' ? 'https' : 'http', host: at.hostname, port: at.port || undefined }),
  })
  const secrets = config.webhookSecret.split(',').map(s => s.trim())

  const card: Gateway['card'] = async method => {
    const found = await ask(stripe.paymentMethods.retrieve(method))
    return found.customer ? cardOf(found) : null
  }

  /** A confirmed intent, or why it failed. */
  const confirmed = async (request: Promise<Stripe.PaymentIntent>, customer: string | null, method: string) => {
    try {
      return await request
    } catch (e) {
      if (e instanceof Stripe.errors.StripeCardError) return failedOf(e, e.payment_intent)
      const error = translated(e)
      if (!(error instanceof Misused) || (error.param && error.param !== 'payment_method')) throw error
      // A card that was removed meanwhile is refused as a wrong request, with no code of its own.
      const still = await ask(stripe.paymentMethods.retrieve(method)).catch(e => {
        if (!(e instanceof Misused)) throw e
      })
      if (idOf(still?.customer) !== customer) return { outcome: 'failed', reason: 'incorrect-details' } as const
      throw error
    }
  }

  return {
    async customer(player, key) {
      return (await ask(stripe.customers.create({ metadata: { player } }, { idempotencyKey: key }))).id
    },

    async setupPage({ customer, player, returnUrl, cancelUrl, key }) {
      const session = await ask(
        stripe.checkout.sessions.create(
          {
            mode: 'setup',
            customer,
            allowed_payment_method_types: ['card'],
            client_reference_id: player,
            metadata: { player },
            setup_intent_data: { metadata: { player } },
            success_url: withSession(returnUrl, 'setup'),
            cancel_url: cancelUrl,
          },
          { idempotencyKey: key },
        ),
      )
      return { url: session.url!, session: session.id }
    },
    async setupDone(session) {
      const found = await ask(stripe.checkout.sessions.retrieve(session, { expand: ['setup_intent.payment_method'] }))
      const setup = found.setup_intent as Stripe.SetupIntent | null
      if (found.mode !== 'setup' || setup?.status !== 'succeeded') return null
      const method = setup.payment_method as Stripe.PaymentMethod
      return { customer: idOf(found.customer)!, player: found.client_reference_id!, method: cardOf(method) }
    },
    card,
    async cards(customer) {
      const { data } = await ask(stripe.paymentMethods.list({ customer, type: 'card', limit: 100 }))
      return data.map(cardOf)
    },
    async removeCard(method) {
      try {
        await ask(stripe.paymentMethods.detach(method))
      } catch (e) {
        if (!(e instanceof Misused) || (await card(method))) throw e
      }
    },

    async charge({ payment, attempt, customer, method, amount, metadata, key }) {
      const done = await confirmed(
        stripe.paymentIntents.create(
          {
            amount,
            currency: CURRENCY,
            customer,
            payment_method: method,
            allowed_payment_method_types: ['card'],
            off_session: true,
            confirm: true,
            transfer_group: payment,
            metadata: { ...metadata, payment, attempt },
          },
          { idempotencyKey: key },
        ),
        customer,
        method,
      )
      if ('outcome' in done) return done
      const outcome = outcomeOf(done)
      if (outcome.outcome === 'succeeded' || outcome.outcome === 'failed') return outcome
      if (done.status === 'requires_action') return failedOf({ code: 'authentication_required' }, done)
      throw new Unsure(`Stripe is still working on ${done.id} (${done.status}).`)
    },
    async findCharge(payment, attempt) {
      // Listing is exact at once; searching by metadata lags behind by up to a minute.
      const { data } = await ask(stripe.charges.list({ transfer_group: payment, limit: 100, expand: ['data.payment_intent'] }))
      const tried = data.filter(c => c.payment_intent && c.metadata.attempt === attempt)
      const found = tried.find(c => c.paid) ?? tried[0]
      return found ? outcomeOf(found.payment_intent as Stripe.PaymentIntent) : null
    },
    async authenticatePage({ intent, method, returnUrl, key }) {
      const before = await ask(stripe.paymentIntents.retrieve(intent))
      const done =
        before.status === 'requires_payment_method' || before.status === 'requires_confirmation'
          ? await confirmed(
              stripe.paymentIntents.confirm(intent, { payment_method: method, return_url: returnUrl }, { idempotencyKey: key }),
              idOf(before.customer),
              method,
            )
          : before
      if ('outcome' in done) return done
      const url = done.next_action?.redirect_to_url?.url
      if (done.status === 'requires_action' && url) return { outcome: 'page', url, intent }
      const outcome = outcomeOf(done)
      if (outcome.outcome === 'succeeded' || outcome.outcome === 'failed') return outcome
      throw new Misused(`${intent} is ${done.status}: it cannot be paid.`, 'payment_intent_unexpected_state')
    },
    async paid(intent) {
      return outcomeOf(await ask(stripe.paymentIntents.retrieve(intent)))
    },
    async abandon(intent, key) {
      try {
        await ask(stripe.paymentIntents.cancel(intent, { cancellation_reason: 'abandoned' }, { idempotencyKey: key }))
        return { outcome: 'canceled', intent }
      } catch (e) {
        const now = e instanceof Misused ? outcomeOf(await ask(stripe.paymentIntents.retrieve(intent))) : undefined
        if (now?.outcome === 'succeeded' || now?.outcome === 'canceled') return now
        throw e
      }
    },

    async checkout({ customer, player, item, metadata, returnUrl, cancelUrl, key }) {
      const session = await ask(
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            customer,
            allowed_payment_method_types: ['card'],
            client_reference_id: player,
            metadata: { ...metadata, player },
            payment_intent_data: { metadata: { ...metadata, player } },
            line_items: [{ quantity: 1, price_data: { currency: CURRENCY, unit_amount: item.amount, product_data: { name: item.name } } }],
            success_url: withSession(returnUrl, 'session'),
            cancel_url: cancelUrl,
          },
          { idempotencyKey: key },
        ),
      )
      return { url: session.url!, session: session.id }
    },
    async checkoutDone(session) {
      const found = await ask(stripe.checkout.sessions.retrieve(session, { expand: ['payment_intent'] }))
      const intent = found.payment_intent as Stripe.PaymentIntent | null
      return {
        paid: found.payment_status === 'paid',
        player: found.client_reference_id!,
        customer: idOf(found.customer)!,
        intent: intent?.id ?? null,
        charge: idOf(intent?.latest_charge),
        amount: found.amount_total ?? 0,
        metadata: found.metadata ?? {},
      }
    },

    async refund({ refund, charge, amount, reason, key }) {
      return refundOf(await ask(stripe.refunds.create({ charge, amount, reason, metadata: { refund } }, { idempotencyKey: key })))
    },
    async findRefund(charge, refund) {
      const { data } = await ask(stripe.refunds.list({ charge, limit: 100 }))
      const found = data.find(r => r.metadata?.refund === refund)
      return found ? refundOf(found) : null
    },

    async transfer({ payment, amount, destination, sourceCharge, key }) {
      const made = await ask(
        stripe.transfers.create(
          {
            amount,
            currency: CURRENCY,
            destination,
            transfer_group: payment,
            metadata: { payment },
            ...(sourceCharge && { source_transaction: sourceCharge }),
          },
          { idempotencyKey: key },
        ),
      )
      return made.id
    },
    async findTransfer(payment) {
      const { data } = await ask(stripe.transfers.list({ transfer_group: payment, limit: 100 }))
      const found = data.find(t => t.metadata.payment === payment)
      return found ? transferOf(found) : null
    },
    async reverse(transfer, amount, key) {
      return (await ask(stripe.transfers.createReversal(transfer, { amount }, { idempotencyKey: key }))).id
    },

    async payoutAccount(instructor, email, key) {
      const account = await ask(
        stripe.accounts.create(
          {
            type: 'express',
            country: 'US',
            email,
            business_type: 'individual',
            capabilities: { transfers: { requested: true } },
            metadata: { instructor },
          },
          { idempotencyKey: key },
        ),
      )
      return account.id
    },
    async onboardingLink(account, { returnUrl, refreshUrl }) {
      const link = await ask(
        stripe.accountLinks.create({ account, type: 'account_onboarding', return_url: returnUrl, refresh_url: refreshUrl }),
      )
      return link.url
    },
    async dashboardLink(account) {
      return (await ask(stripe.accounts.createLoginLink(account))).url
    },
    async accountStatus(account) {
      const found = await ask(stripe.accounts.retrieve(account))
      return {
        detailsSubmitted: found.details_submitted,
        payoutsEnabled: found.payouts_enabled,
        requirements: [...new Set([...(found.requirements?.past_due ?? []), ...(found.requirements?.currently_due ?? [])])],
      }
    },

    webhook(rawBody, signatureHeader, now = Date.now()) {
      // constructEvent takes any timestamp in the future.
      const stamps = [...signatureHeader.matchAll(/(?:^|,)t=(\d+)/g)].map(m => Number(m[1]))
      if (stamps.some(t => t > now / 1000 + TOLERANCE)) throw new Forged('The webhook is signed for a time that has not come yet.')
      let event: Stripe.Event | undefined
      let refusal: unknown
      for (const secret of secrets) {
        try {
          event ??= stripe.webhooks.constructEvent(rawBody, signatureHeader, secret, TOLERANCE, undefined, now)
        } catch (e) {
          refusal = e
        }
      }
      if (!event) throw new Forged('The webhook is not signed by Stripe.', { cause: refusal })
      const { id, object: kind } = event.data.object as unknown as { id: string; object: string }
      return { id: event.id, type: event.type, object: { id, kind }, created: new Date(event.created * 1000).toISOString() }
    },
    async fetchCharge(charge) {
      const c = await ask(stripe.charges.retrieve(charge))
      return {
        id: c.id,
        intent: idOf(c.payment_intent),
        payment: c.metadata.payment ?? null,
        attempt: c.metadata.attempt ?? null,
        paid: c.paid,
        amount: c.amount,
        refunded: c.amount_refunded,
        disputed: c.disputed,
      }
    },
    async fetchTransfer(transfer) {
      return transferOf(await ask(stripe.transfers.retrieve(transfer)))
    },
    async fetchDispute(dispute) {
      const d = await ask(stripe.disputes.retrieve(dispute))
      const status = d.status === 'won' || d.status === 'warning_closed' ? 'won' : d.status === 'lost' ? 'lost' : 'open'
      return { id: d.id, charge: idOf(d.charge)!, intent: idOf(d.payment_intent), amount: d.amount, status, reason: d.reason }
    },
  }
}
