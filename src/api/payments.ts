import { loadUser } from '../../modules/accounts/account-registration-and-authentication.ts'
import { guardianById } from '../../modules/accounts/guardian-tables.ts'
import { payerOf } from '../../modules/accounts/payer.ts'
import { derivedId, handleCommand, loadState } from '../../modules/kernel/decider.ts'
import { CommandRefused, type EventStore } from '../../modules/kernel/store.ts'
import { isAddressUndeliverable } from '../../modules/letters/letter-delivery-table.ts'
import type { PaymentViewer } from '../../modules/payments/charged-card-visibility.ts'
import { paymentsContract as contract } from '../../modules/payments/contract.ts'
import { assertPackageBuyerIsAdult, purchaseDecider, refundableCents, unrefundedCents } from '../../modules/payments/package-purchase.ts'
import { type PaymentState, paymentDecider } from '../../modules/payments/payment.ts'
import {
  debtCentsOfPayoutState,
  debtWaiversOf,
  payoutAccountAndDebtDecider,
  payoutStatus,
} from '../../modules/payments/payout-account-and-debt-decider.ts'
import { loadPayment } from '../../modules/payments/perform-charge-attempts.ts'
import { PACKAGES } from '../../modules/payments/policy.ts'
import { loadPurchase } from '../../modules/payments/record-package-sale-and-perform-refund.ts'
import { refreshPayoutAccount } from '../../modules/payments/refresh-payout-account.ts'
import { assertNoDeletionScheduled, deletionDueReplyField } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { creditsAndPointsDecider, unusedPackageCredits } from '../../modules/rewards/credits-and-points-decider.ts'
import { mustKeepCard } from '../../projections/deletion-obstacles.ts'
import { deliveredCountAndShareCents, latestPurchases, pageOfPurchases, purchaseOf } from '../../projections/package-purchases.ts'
import {
  countPayments,
  instructorEarningsTotals,
  openAndLatestPaymentsOfPayer,
  openPayments,
  pageOfPaymentsOfOwner,
  pageOfSettledPaymentsOfPayer,
  paymentOf,
} from '../../projections/payments.ts'
import type { AppDependencies } from './app-dependencies.ts'
import {
  cardsOfWallet,
  confirmSavedCard,
  createCardSetupPage,
  loadWallet,
  payBill,
  removeCard,
  setPreferredCard,
  takeProviderRateLimit,
  withProviderErrors,
} from './cards-and-bill-payments.ts'
import { comparePaymentsWithStripe } from './compare-payments-with-stripe.ts'
import { confirmPackageCheckout, createPackageCheckoutPage } from './package-purchase.ts'
import { assertFound, notFound } from './problem.ts'
import { commandReply, routesOfContract, withCaughtUpReadModels } from './routing.ts'

/** Page size of an instructor's earnings; the screen loads more on request. */
const PAYMENTS_PER_PAGE = 100

const perksOf = (store: EventStore, player: string) => loadState(store, creditsAndPointsDecider, player)
const accountOf = (store: EventStore, instructor: string) => loadState(store, payoutAccountAndDebtDecider, instructor)

/** Whether the player is a minor, so that only a guardian may pay. True even while no guardian's consent is in effect. */
const isMinor = async ({ sql, clock }: Pick<AppDependencies, 'sql' | 'clock'>, player: string) =>
  (await payerOf(sql, player, clock()))?.id !== player

/** Whether a guardian pays for this player, but our letters do not reach that guardian. */
async function isPayingGuardianUndeliverable({ sql, clock }: Pick<AppDependencies, 'sql' | 'clock'>, player: string) {
  const payer = await payerOf(sql, player, clock())
  const guardian = payer?.isGuardian ? await guardianById(sql, payer.id) : null
  return guardian !== null && isAddressUndeliverable(sql, guardian.email)
}

/** @throws CommandRefused for a minor, with the message `instead`, which refers to the guardian */
async function assertPaysAlone(deps: Pick<AppDependencies, 'sql' | 'clock'>, player: string, instead: string) {
  if (await isMinor(deps, player)) throw new CommandRefused(instead, 'guardian-pays')
}

const paymentViewerOf = ({ id, role }: { id: string; role: string }): PaymentViewer => (role === 'admin' ? 'administrator' : { person: id })

/** A payment whose bill is for a session of this player. @throws Problem 404 */
async function paymentOwedBy(store: EventStore, id: string, player: string): Promise<PaymentState> {
  const p = await loadPayment(store, id)
  if (p.bill?.player !== player) throw notFound()
  return p
}

export const paymentRoutes = routesOfContract(contract, {
  'GET /api/billing': withCaughtUpReadModels(['payments', 'folders', 'purchases'], async ({ deps, user }) => {
    const { store, sql, clock } = deps
    const w = await loadWallet(store, user.id)
    return {
      cards: cardsOfWallet(w),
      ...(await openAndLatestPaymentsOfPayer(sql, { player: user.id }, clock())),
      ...(await latestPurchases(sql, { player: user.id })),
      credits: unusedPackageCredits(await perksOf(store, user.id)),
    }
  }),

  'GET /api/billing/open': withCaughtUpReadModels(['payments', 'folders'], async ({ deps, user }) => ({
    payments: await openPayments(deps.sql, { player: user.id }, deps.clock()),
    guardianUndeliverable: await isPayingGuardianUndeliverable(deps, user.id),
    ...(await deletionDueReplyField(deps.store, user.id)),
  })),

  'GET /api/billing/settled': withCaughtUpReadModels(['payments', 'folders'], ({ deps: { sql, clock }, user, query }) =>
    pageOfSettledPaymentsOfPayer(sql, { player: user.id }, clock(), query.before),
  ),
  'GET /api/billing/purchases': withCaughtUpReadModels(['purchases'], ({ deps: { sql }, user, query }) =>
    pageOfPurchases(sql, { player: user.id }, query.before),
  ),

  'POST /api/cards/setup': async ctx => {
    await assertPaysAlone(ctx.deps, ctx.user.id, 'Ask your parent or guardian. Sessions are charged to their card.')
    return createCardSetupPage(ctx, ctx.user.id, ctx.body.back)
  },
  'POST /api/cards/confirm': ctx => confirmSavedCard(ctx, ctx.user.id, ctx.body.session),
  'POST /api/cards/{card}/prefer': ctx => setPreferredCard(ctx, ctx.user.id, ctx.params.card),
  'DELETE /api/cards/{card}': withCaughtUpReadModels(['payments', 'assignments'], async ctx =>
    removeCard(ctx, ctx.user.id, ctx.params.card, await mustKeepCard(ctx.deps.sql, ctx.user.id)),
  ),

  'GET /api/payments/{payment}': withCaughtUpReadModels(['payments', 'folders'], async ({ deps: { sql, clock }, user, params }) => {
    const p = assertFound(await paymentOf(sql, params.payment, paymentViewerOf(user), clock()))
    if (user.role === 'admin' || user.id === p.instructor) return p
    if (user.id === p.player) return { ...p, owed: null }
    throw notFound()
  }),

  'POST /api/payments/{payment}/pay': async ctx => {
    const { deps, user, params, body } = ctx
    const before = await paymentOwedBy(deps.store, params.payment, user.id)
    await assertPaysAlone(deps, user.id, 'Your parent or guardian pays for this session. They have the bill.')
    return payBill(ctx, { id: params.payment, before, owner: user.id, who: 'player', body })
  },

  'GET /api/packages': () => ({ packages: Object.entries(PACKAGES).map(([type, p]) => ({ type, ...p })) }),

  'POST /api/packages/checkout': async ctx => {
    await assertNoDeletionScheduled(ctx.deps.store, ctx.user.id)
    assertPackageBuyerIsAdult(await isMinor(ctx.deps, ctx.user.id))
    return createPackageCheckoutPage(ctx, { buyer: ctx.user.id, type: ctx.body.package, back: '/player/payment' })
  },

  'POST /api/packages/confirm': async ctx => ({ credits: (await confirmPackageCheckout(ctx, ctx.user.id, ctx.body.session)).credits }),

  'GET /api/purchases/{purchase}': withCaughtUpReadModels(['purchases', 'payments'], async ({ deps: { sql, store }, user, params }) => {
    const bought = assertFound(await purchaseOf(sql, params.purchase, paymentViewerOf(user)))
    if (user.role === 'admin') return { ...bought, books: await booksOf({ sql, store }, bought) }
    if (user.id === bought.player) return { ...bought, books: null }
    throw notFound()
  }),

  'GET /api/earnings': withCaughtUpReadModels(['payments', 'folders'], async ({ deps: { store, sql, clock }, user, query: { before } }) => {
    const ownPayments = { whose: { instructor: user.id }, kind: 'any' } as const
    const [page, total, { unpaid, earned, transferred }, account] = await Promise.all([
      pageOfPaymentsOfOwner(sql, ownPayments, clock(), { before, limit: PAYMENTS_PER_PAGE }),
      countPayments(sql, ownPayments),
      instructorEarningsTotals(sql, user.id),
      accountOf(store, user.id),
    ])
    return {
      payments: page.rows,
      total,
      next: page.next,
      debt: debtCentsOfPayoutState(account),
      waivers: debtWaiversOf(account),
      unpaid,
      earned,
      transferred,
      waiting: earned - transferred,
      account: { status: payoutStatus(account), requirements: account.requirements, submitted: account.submitted },
    }
  }),

  'POST /api/payouts/account': async ctx => {
    const { deps, user } = ctx
    await takeProviderRateLimit(ctx, user.id)
    const { store, gateway, sql, config, clock } = deps
    let { account, ready, requirements } = await accountOf(store, user.id)
    if (!account) {
      const { email } = assertFound(await loadUser(sql, user.id, clock()))
      const id = derivedId(user.id, 'payout account')
      const opened = { account: await withProviderErrors(gateway.payoutAccount(user.id, email, id)) }
      await handleCommand(store, payoutAccountAndDebtDecider, user.id, 'open', opened, { command: id, actor: user.id })
      account = (await accountOf(store, user.id)).account!
    }
    if (ready && !requirements.length) return { url: await withProviderErrors(gateway.dashboardLink(account)) }
    const back = `${config.origin}/instructor/payments`
    return {
      url: await withProviderErrors(gateway.onboardingLink(account, { returnUrl: `${back}?back=1`, refreshUrl: `${back}?refresh=1` })),
    }
  },

  'POST /api/payouts/refresh': async ctx => {
    const { deps, user } = ctx
    await takeProviderRateLimit(ctx, user.id)
    return { status: payoutStatus(await withProviderErrors(refreshPayoutAccount(deps.store, deps.gateway, user.id))) }
  },

  'GET /api/admin/unreconciled-charges': async ctx => {
    await takeProviderRateLimit(ctx, ctx.user.id)
    const [charges, packages] = await withProviderErrors(comparePaymentsWithStripe(ctx))
    return {
      packages,
      charges: charges.map(({ charge, payment, difference, amount, refunded, recordedRefund, at }) => ({
        charge,
        payment,
        difference,
        amount,
        refunded,
        recordedRefund,
        at,
      })),
    }
  },

  'POST /api/admin/instructors/{instructor}/debt-waivers': async ({ deps: { store, clock }, params, body, by }) => {
    const { waiver, cents: amount, reason } = body
    const { account, excess } = await accountOf(store, params.instructor)
    // An instructor with no payout account who never had a debt owes nothing. Without this check, any id in the URL would create a stream.
    if (!account && !Object.keys(excess).length) throw notFound()
    const waived = { waiver, amount, reason, at: clock().toISOString() }
    return commandReply((await handleCommand(store, payoutAccountAndDebtDecider, params.instructor, 'waive', waived, by)).position)
  },

  'POST /api/admin/payments/{payment}/refund': async ({ deps: { store }, params, body, by }) => {
    assertFound((await loadPayment(store, params.payment)).bill)
    const refundRequest = { refund: body.refund, amount: body.cents, reason: body.reason }
    const { position } = await handleCommand(store, paymentDecider, params.payment, 'refund', refundRequest, by)
    return commandReply(position)
  },

  'POST /api/admin/purchases/{purchase}/refund': async ({ deps: { store }, params, body, by }) => {
    const { bought } = await loadPurchase(store, params.purchase)
    const unused = (await perksOf(store, assertFound(bought).player)).packs[params.purchase]?.left ?? 0
    const { refund, what, cents, reason } = body
    const refundRequest = { refund, whole: what === 'whole', unused, cents, reason }
    const { position } = await handleCommand(store, purchaseDecider, params.purchase, 'refund', refundRequest, by)
    return commandReply(position)
  },
})

/** The finances of a package: how its sessions were used, what instructors received for them, and what can be refunded. */
async function booksOf({ sql, store }: Pick<AppDependencies, 'sql' | 'store'>, { id, player }: { id: string; player: string }) {
  const [p, { packs, reserved }] = await Promise.all([loadPurchase(store, id), perksOf(store, player)])
  const sessions = Object.keys(reserved).filter(assignment => reserved[assignment]!.terms.purchase === id)
  const { given, cents: shares } = await deliveredCountAndShareCents(sql, sessions)
  const unused = packs[id]?.left ?? 0
  return {
    unused,
    given,
    shares,
    used: sessions.length,
    gone: Object.values(packs[id]?.taken ?? {}).reduce((all, { folders }) => all + folders, 0),
    loss: Math.max(0, shares - unrefundedCents(p)),
    refundable: refundableCents(p, unused),
  }
}
