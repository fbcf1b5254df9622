import { userOf } from '../../modules/accounts/people.ts'
import { derivedId, handle, load } from '../../modules/kernel/decider.ts'
import { type EventStore, Refused, streamOf } from '../../modules/kernel/store.ts'
import { customerOf, saveCard } from '../../modules/payments/cards.ts'
import { loadPayment, settleAttempt } from '../../modules/payments/charge.ts'
import { payments as contract, type Payment as Shown } from '../../modules/payments/contract.ts'
import { failureOf } from '../../modules/payments/failure.ts'
import { bookPackage, loadPurchase } from '../../modules/payments/packages.ts'
import { type Payment, payment } from '../../modules/payments/payment.ts'
import { payoutAccount, payoutStatus } from '../../modules/payments/payout-account.ts'
import { readAccount } from '../../modules/payments/payouts.ts'
import { PACKAGES } from '../../modules/payments/policy.ts'
import { keptCents, purchase, refundableCents } from '../../modules/payments/purchase.ts'
import { OutcomeUnknown, RejectedRequest, RetryLater } from '../../modules/payments/stripe/client.ts'
import { cardOf, type SavedCard, usedCardOf, type Wallet, wallet } from '../../modules/payments/wallet.ts'
import { assertNoDeletionDue } from '../../modules/privacy/account.ts'
import { creditsOf, perks } from '../../modules/rewards/perks.ts'
import { creditPurchase } from '../../modules/rewards/rewarding.ts'
import { isCardNeeded, paymentOf, paymentsOfInstructor, paymentsOfPlayer } from '../../projections/payments.ts'
import { purchaseOf, purchasesOf, sharesPaidFor } from '../../projections/purchases.ts'
import type { Deps } from './deps.ts'
import { assertFound, notFound, Problem } from './problem.ts'
import { type Context, commandReply, readModelQuery, serve } from './route.ts'

const shown = ({ card: id, ...rest }: SavedCard, w: Wallet) => ({ id, ...rest, preferred: w.preferred === id })
const walletOf = (store: EventStore, player: string) => load(store, wallet, player)
const perksOf = (store: EventStore, player: string) => load(store, perks, player)
const accountOf = (store: EventStore, instructor: string) => load(store, payoutAccount, instructor)

/** Awaits the payment provider. A page that is not its own is not found; where it does not answer, 503. */
async function fromProvider<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof RejectedRequest) throw error.code === 'resource_missing' ? notFound() : error
    if (!(error instanceof OutcomeUnknown || error instanceof RetryLater)) throw error
    throw new Problem(503, 'The payment service does not answer right now. Try again in a minute.', 'payments-away', {
      headers: { 'retry-after': '30' },
    })
  }
}

/** Before the payment provider is asked for somebody. @throws Problem 429 */
const asking = ({ deps, user, address }: Pick<Context, 'deps' | 'address'> & { user: { id: string } }) =>
  deps.limits.take('provider', address, user.id)

/** The payment of the player who asks. @throws Problem 404 */
async function owed(store: EventStore, id: string, player: string): Promise<Payment> {
  const p = await loadPayment(store, id)
  if (p.bill?.player !== player) throw notFound()
  return p
}

/** Where to tell the bank that it is really its customer; null where that is not (any more) what is missing. */
async function bankPage(
  { deps, by, params }: Pick<Context, 'deps' | 'by'> & { params: { payment: string } },
  p: Payment,
): Promise<string | null> {
  const { last, bill } = p
  const intent = last && p.open[last.id]
  if (p.status !== 'failed' || !intent) return null
  const back = `${deps.config.origin}/player/folder/${bill!.folder}?session=${params.payment}&authenticated=1`
  try {
    const page = await deps.gateway.authenticatePage({ intent, method: last.card.id, returnUrl: back, key: derivedId(by.command, intent) })
    return page.outcome === 'page' ? page.url : null
  } catch (error) {
    deps.log.warn({ err: error, payment: intent }, 'no page of the bank to send the player to')
    return null
  }
}

/** Waits for the end of an attempt; null while nobody knows it: an errand goes on with it. */
async function settled(deps: Deps, id: string, attempt: string, again: boolean): Promise<Payment | null> {
  try {
    return await settleAttempt(deps, id, attempt, again)
  } catch (error) {
    if (!(error instanceof OutcomeUnknown || error instanceof RetryLater)) throw error
    deps.log.warn({ err: error, payment: id, attempt }, 'a charge is not decided yet')
    return null
  }
}

export const payments = serve(contract, {
  'GET /api/billing': readModelQuery(['payments', 'folders', 'purchases'], async ({ deps: { store, sql, clock }, user }) => {
    const w = await walletOf(store, user.id)
    return {
      cards: w.cards.map(c => shown(c, w)).reverse(),
      payments: await paymentsOfPlayer(sql, user.id, clock()),
      purchases: await purchasesOf(sql, user.id),
      credits: creditsOf(await perksOf(store, user.id)),
    }
  }),

  'POST /api/cards/setup': async ctx => {
    const { deps, user, by } = ctx
    await asking(ctx)
    const customer = await fromProvider(customerOf(deps, user.id))
    const address = deps.config.origin + ctx.body.back
    const page = deps.gateway.setupPage({
      customer,
      player: user.id,
      returnUrl: address,
      cancelUrl: address,
      key: derivedId(by.command, address),
    })
    return { url: (await fromProvider(page)).url }
  },

  'POST /api/cards/confirm': async ctx => {
    const { deps, user } = ctx
    const { session } = ctx.body
    await asking(ctx)
    const done = await fromProvider(deps.gateway.setupDone(session))
    if (done && done.player !== user.id) throw notFound()
    if (!done) return { card: null }
    const saved = await fromProvider(saveCard(deps, session))
    const w = await walletOf(deps.store, user.id)
    return { card: shown(saved!.card, w) }
  },

  'POST /api/cards/{card}/prefer': async ({ deps: { store, limits }, user, params, by }) => {
    await limits.take('change', '', user.id)
    assertFound((await walletOf(store, user.id)).cards.some(c => c.card === params.card))
    const { position } = await handle(store, wallet, user.id, 'prefer', params, by)
    return commandReply(position)
  },

  'DELETE /api/cards/{card}': readModelQuery(['payments', 'folders'], async ({ deps: { store, sql, clock }, user, params, by }) => {
    // One of before, too: to remove it again changes nothing.
    assertFound((await store.read(streamOf(wallet.stream, user.id))).some(e => (e.data as Partial<SavedCard>).card === params.card))
    const needed = await isCardNeeded(sql, user.id)
    const { position } = await handle(store, wallet, user.id, 'remove', { ...params, needed, now: clock().toISOString() }, by)
    return commandReply(position)
  }),

  'GET /api/payments/{payment}': readModelQuery(['payments', 'folders'], async ({ deps: { sql, clock }, user, params }) => {
    const p = assertFound(await paymentOf(sql, params.payment, clock()))
    if (user.id === p.player || user.role === 'admin') return p
    if (user.id === p.instructor) return forInstructor(p)
    throw notFound()
  }),

  'POST /api/payments/{payment}/pay': async ctx => {
    const { deps, user, params, body, by } = ctx
    const { store, clock } = deps
    const id = by.command
    const before = await owed(store, params.payment, user.id)
    await asking(ctx)
    // One that was left undecided must end before another can begin.
    if (before.status === 'processing' && before.last!.id !== id) await settled(deps, params.payment, before.last!.id, true)
    const w = await walletOf(store, user.id)
    const again = before.attempts[id]
    const card = again?.card ?? usedCardOf(cardOf(w, body.card))
    const { tip, total } = body
    const attempt = { id, card, customer: w.customer!, tip, total, by: 'player' as const, at: clock().toISOString() }
    await handle(store, payment, params.payment, 'attempt', attempt, by)
    const p = await settled(deps, params.payment, id, !!again)
    const position = (await store.read(streamOf(payment.stream, params.payment))).at(-1)!.position
    if (!p || p.status === 'processing') return commandReply(position, { status: 'processing', failure: null, url: null })
    if (p.status === 'paid') return commandReply(position, { status: 'paid', failure: null, url: null })
    const failure = failureOf(p.failure ?? 'processing-error')
    return commandReply(position, { status: 'failed', failure, url: await bankPage(ctx, p) })
  },

  'GET /api/packages': () => ({ packages: Object.entries(PACKAGES).map(([type, p]) => ({ type, ...p })) }),

  'POST /api/packages/checkout': async ctx => {
    const { deps, user, body, by } = ctx
    await assertNoDeletionDue(deps.store, user.id)
    await asking(ctx)
    const { label, folders, cents } = PACKAGES[body.package]
    const customer = await fromProvider(customerOf(deps, user.id))
    const back = `${deps.config.origin}/player/payment`
    const page = deps.gateway.checkout({
      customer,
      player: user.id,
      item: { name: `${label}: ${folders} feedback ${folders === 1 ? 'session' : 'sessions'}`, amount: cents },
      metadata: { package: body.package, folders: String(folders) },
      returnUrl: back,
      cancelUrl: `${back}?package=${body.package}`,
      key: derivedId(by.command, customer, body.package),
    })
    return { url: (await fromProvider(page)).url }
  },

  'POST /api/packages/confirm': async ctx => {
    const { deps, user } = ctx
    const { session } = ctx.body
    await asking(ctx)
    const page = await fromProvider(deps.gateway.checkoutDone(session))
    if (page.player !== user.id) throw notFound()
    const bought = await fromProvider(bookPackage(deps, session))
    if (!bought) throw new Refused('This package is not paid yet. Go back to the payment page to finish.', 'not-paid')
    return { credits: await creditPurchase(deps.store, bought) }
  },

  'GET /api/purchases/{purchase}': readModelQuery(['purchases', 'payments'], async ({ deps: { sql, store }, user, params }) => {
    const bought = assertFound(await purchaseOf(sql, params.purchase))
    if (user.role === 'admin') return { ...bought, books: await booksOf({ sql, store }, bought) }
    if (user.id === bought.player) return { ...bought, books: null }
    throw notFound()
  }),

  'GET /api/earnings': readModelQuery(['payments', 'folders'], async ({ deps: { store, sql, clock }, user }) => {
    const all = (await paymentsOfInstructor(sql, user.id, clock())).map(forInstructor)
    const account = await accountOf(store, user.id)
    const sum = (of: Shown[]) => of.reduce((cents, p) => cents + p.share, 0)
    const earned = all.filter(p => p.paid)
    const transferred = sum(earned.filter(p => p.transferred))
    return {
      payments: all,
      unpaid: sum(all.filter(p => !p.paid)),
      earned: sum(earned),
      transferred,
      waiting: sum(earned) - transferred,
      account: { status: payoutStatus(account), requirements: account.requirements },
    }
  }),

  'POST /api/payouts/account': async ctx => {
    const { deps, user } = ctx
    await asking(ctx)
    const { store, gateway, sql, config, clock } = deps
    let { account, ready } = await accountOf(store, user.id)
    if (!account) {
      const { email } = assertFound(await userOf(sql, user.id, clock()))
      const id = derivedId(user.id, 'payout account')
      const opened = { account: await fromProvider(gateway.payoutAccount(user.id, email, id)) }
      await handle(store, payoutAccount, user.id, 'open', opened, { command: id, actor: user.id })
      account = (await accountOf(store, user.id)).account!
    }
    if (ready) return { url: await fromProvider(gateway.dashboardLink(account)) }
    const back = `${config.origin}/instructor/payments`
    return { url: await fromProvider(gateway.onboardingLink(account, { returnUrl: `${back}?back=1`, refreshUrl: `${back}?refresh=1` })) }
  },

  'POST /api/payouts/refresh': async ctx => {
    const { deps, user } = ctx
    await asking(ctx)
    return { status: payoutStatus(await fromProvider(readAccount(deps.store, deps.gateway, user.id))) }
  },

  'POST /api/admin/payments/{payment}/refund': async ({ deps: { store }, params, body, by }) => {
    assertFound((await loadPayment(store, params.payment)).bill)
    const asked = { refund: body.refund, amount: body.cents, reason: body.reason }
    const { position } = await handle(store, payment, params.payment, 'refund', asked, by)
    return commandReply(position)
  },

  'POST /api/admin/purchases/{purchase}/refund': async ({ deps: { store }, params, body, by }) => {
    const { bought } = await loadPurchase(store, params.purchase)
    const unused = (await perksOf(store, assertFound(bought).player)).packs[params.purchase]?.left ?? 0
    const { refund, what, cents, reason } = body
    const asked = { refund, whole: what === 'whole', unused, cents, reason }
    const { position } = await handle(store, purchase, params.purchase, 'refund', asked, by)
    return commandReply(position)
  },
})

/** What became of a package: how its folders were used, what instructors got for them, and what can be given back. */
async function booksOf({ sql, store }: Pick<Deps, 'sql' | 'store'>, { id, player }: { id: string; player: string }) {
  const [p, { packs, reserved }] = await Promise.all([loadPurchase(store, id), perksOf(store, player)])
  const sessions = Object.keys(reserved).filter(assignment => reserved[assignment]!.terms.purchase === id)
  const { given, cents: shares } = await sharesPaidFor(sql, sessions)
  const unused = packs[id]?.left ?? 0
  return {
    ...{ unused, given, shares },
    used: sessions.length,
    gone: Object.values(packs[id]?.taken ?? {}).reduce((all, { folders }) => all + folders, 0),
    loss: Math.max(0, shares - keptCents(p)),
    refundable: refundableCents(p, unused),
  }
}

/** How the player pays is no business of the instructor's. */
const forInstructor = (p: Shown): Shown => ({ ...p, card: null, failure: null })
