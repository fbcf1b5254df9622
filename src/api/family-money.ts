import { v7 as newId } from 'uuid'
import { childHasGuardianConsent, childrenOf } from '../../modules/accounts/guardian-tables.ts'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand, loadState } from '../../modules/kernel/decider.ts'
import { CommandRefused, streamOf } from '../../modules/kernel/store.ts'
import { isMediaJobRefused, mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import { allowanceDecider, centsSpentInMonth, monthlyLimitOf, monthOf } from '../../modules/payments/allowance.ts'
import { type ChildSpendingAndCredits, familyMoneyContract as contract } from '../../modules/payments/contract.ts'
import { loadPayment } from '../../modules/payments/perform-charge-attempts.ts'
import type { PriceTerms } from '../../modules/payments/pricing.ts'
import { unblockLastCardRemoval } from '../../modules/payments/stripe-customer-and-saved-cards.ts'
import { type SavedCard, walletDecider } from '../../modules/payments/wallet.ts'
import { assertNoDeletionScheduled } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { creditsAndPointsDecider, unusedPackageCredits } from '../../modules/rewards/credits-and-points-decider.ts'
import { DEFAULT_TIME_ZONE } from '../../modules/time-zone-default-and-validation.ts'
import { approvalRequestOfAssignment, pendingApprovalRequestsOfPlayers } from '../../projections/approvals.ts'
import { instructorsOfPlayers } from '../../projections/assignments.ts'
import { mustKeepCard } from '../../projections/deletion-obstacles.ts'
import { latestPurchases, pageOfPurchases, purchaseOfOwner } from '../../projections/package-purchases.ts'
import { openAndLatestPaymentsOfPayer, pageOfSettledPaymentsOfPayer, paymentOfOwner } from '../../projections/payments.ts'
import type { AppDependencies } from './app-dependencies.ts'
import {
  assertNoFailedOrOverduePayment,
  blockLastCardRemovalTemporarily,
  countTowardMonthlyLimit,
  uncountFromMonthlyLimit,
} from './assignment-payment-reservation.ts'
import {
  cardsOfWallet,
  confirmSavedCard,
  createCardSetupPage,
  loadWallet,
  payBill,
  removeCard,
  setPreferredCard,
} from './cards-and-bill-payments.ts'
import { assertInstructorTakesFolders } from './instructor-reachability.ts'
import { confirmPackageCheckout, createPackageCheckoutPage } from './package-purchase.ts'
import { assertFound, notFound } from './problem.ts'
import { commandReply, routesOfContract, withCaughtUpReadModels } from './routing.ts'

type Needed = Pick<AppDependencies, 'sql' | 'store' | 'clock'>

/** This guardian's players under 18 for whom the guardian has ever consented, even if the consent was withdrawn since. */
const agreedChildren = async ({ sql, clock }: Pick<AppDependencies, 'sql' | 'clock'>, guardian: string) =>
  (await childrenOf(sql, guardian, clock())).filter(child => child.agreed)
const agreedChildIds = async (deps: Pick<AppDependencies, 'sql' | 'clock'>, guardian: string) =>
  (await agreedChildren(deps, guardian)).map(child => child.id)

/** Returns the player if they are among the guardian's `agreedChildren`. @throws Problem 404 otherwise */
async function assertOwnChild(deps: Pick<AppDependencies, 'sql' | 'clock'>, guardian: string, player: string | undefined) {
  return assertFound((await agreedChildren(deps, guardian)).find(child => child.id === player))
}

/** @throws CommandRefused `guardian-needed` if the guardian has withdrawn consent and may therefore buy nothing new */
async function assertConsentNotWithdrawn(deps: Pick<AppDependencies, 'sql' | 'clock'>, guardian: string, player: string) {
  const child = (await agreedChildren(deps, guardian)).find(child => child.id === player)
  if (child && !childHasGuardianConsent(child))
    throw new CommandRefused(`You have withdrawn your consent. Give it again on ${child.firstName}'s page first.`, 'guardian-needed')
}

/** The approval request for an assignment, if a child of this guardian made it. @throws Problem 404 otherwise */
async function ownApproval(deps: Needed, guardian: string, assignment: string) {
  const requestedApproval = assertFound(await approvalRequestOfAssignment(deps.sql, assignment))
  await assertOwnChild(deps, guardian, requestedApproval.player.id)
  return requestedApproval
}

async function moneyOf(
  { store, clock }: Needed,
  guardian: string,
  { id, firstName }: { id: string; firstName: string },
): Promise<ChildSpendingAndCredits> {
  const [state, rewards, cards] = await Promise.all([
    loadState(store, allowanceDecider, id),
    loadState(store, creditsAndPointsDecider, id),
    loadWallet(store, id),
  ])
  return {
    id,
    firstName,
    monthly: monthlyLimitOf(state, guardian),
    spent: centsSpentInMonth(state, monthOf(clock(), DEFAULT_TIME_ZONE), guardian),
    credits: unusedPackageCredits(rewards),
    cards: cardsOfWallet(cards),
  }
}

export const familyMoneyRoutes = routesOfContract(contract, {
  'GET /api/family/money': withCaughtUpReadModels(
    ['approvals', 'assignments', 'payments', 'purchases', 'folders', 'vettings'],
    async ({ deps, guardian }) => {
      const { sql, store, clock } = deps
      const children = await agreedChildren(deps, guardian.id)
      const ids = children.map(child => child.id)
      const [approvals, payments, packages, reviewers, w] = await Promise.all([
        pendingApprovalRequestsOfPlayers(sql, ids, clock()),
        openAndLatestPaymentsOfPayer(sql, { payer: guardian.id, players: ids }, clock()),
        latestPurchases(sql, { payer: guardian.id, players: ids }),
        instructorsOfPlayers(sql, ids, clock()),
        loadWallet(store, guardian.id),
      ])
      return {
        approvals,
        ...payments,
        ...packages,
        reviewers,
        cards: cardsOfWallet(w),
        children: await Promise.all(children.map(child => moneyOf(deps, guardian.id, child))),
      }
    },
  ),

  'GET /api/family/money/settled': withCaughtUpReadModels(['payments', 'folders'], async ({ deps, guardian, query }) => {
    const players = await agreedChildIds(deps, guardian.id)
    return pageOfSettledPaymentsOfPayer(deps.sql, { payer: guardian.id, players }, deps.clock(), query.before)
  }),

  'GET /api/family/money/purchases': withCaughtUpReadModels(['purchases'], async ({ deps, guardian, query }) => {
    const players = await agreedChildIds(deps, guardian.id)
    return pageOfPurchases(deps.sql, { payer: guardian.id, players }, query.before)
  }),

  'GET /api/family/purchases/{purchase}': withCaughtUpReadModels(['purchases'], async ({ deps, guardian, params }) => {
    const players = await agreedChildIds(deps, guardian.id)
    return assertFound(await purchaseOfOwner(deps.sql, params.purchase, { payer: guardian.id, players }))
  }),

  'GET /api/family/approvals/{assignment}': withCaughtUpReadModels(['approvals', 'folders'], ({ deps, guardian, params }) =>
    ownApproval(deps, guardian.id, params.assignment),
  ),

  'POST /api/family/approvals/{assignment}/approve': withCaughtUpReadModels(
    ['approvals', 'payments'],
    async ({ deps, guardian, params, by }) => {
      const { store, sql } = deps
      const { assignment } = params
      const requestedApproval = await ownApproval(deps, guardian.id, assignment)
      const { request, sessions } = await loadState(store, folderDecider, requestedApproval.folder)
      const player = requestedApproval.player.id
      const approve = (terms: unknown) =>
        handleCommand(store, folderDecider, requestedApproval.folder, 'approve', { assignment, guardian: guardian.id, terms }, by)
      // If the folder is already assigned or the request is no longer pending, no check below matters: the decider does nothing or throws.
      if (request?.assignment !== assignment || sessions.some(s => s.id === assignment)) return commandReply((await approve(null)).position)
      await assertConsentNotWithdrawn(deps, guardian.id, player)
      if (!(await loadWallet(store, guardian.id)).cards.length) {
        throw new CommandRefused('Add a card first, then approve. It is charged only after the feedback.', 'card-needed')
      }
      await assertNoDeletionScheduled(store, player, { child: requestedApproval.player.name.split(' ')[0]! })
      await assertNoFailedOrOverduePayment(deps, player, 'Settle it first, then approve this session.')
      await assertInstructorTakesFolders(deps, { id: player, isMinor: true }, request.instructor)
      const works = await mediaJobQueue(sql).of(request.videos.map(v => v.id))
      if ([...works.values()].some(isMediaJobRefused)) {
        throw new CommandRefused(
          'One of these videos cannot be played, so there is nothing to approve yet. Your child has to replace it.',
          'unseen',
        )
      }
      const spending = {
        assignment,
        folder: requestedApproval.folder,
        player,
        attempt: newId(),
        guardian: guardian.id,
        cents: request.quote.atMost,
        approved: true,
      }
      try {
        await blockLastCardRemovalTemporarily(deps, guardian.id, assignment)
        await countTowardMonthlyLimit(deps, spending)
        return commandReply((await approve({ ...(request.terms as PriceTerms), payer: guardian.id })).position)
      } catch (error) {
        if (error instanceof CommandRefused) {
          await uncountFromMonthlyLimit(deps, spending)
          await unblockLastCardRemoval(store, guardian.id, assignment)
        }
        throw error
      }
    },
  ),

  'POST /api/family/approvals/{assignment}/decline': withCaughtUpReadModels(['approvals'], async ({ deps, guardian, params, body, by }) => {
    const requestedApproval = await ownApproval(deps, guardian.id, params.assignment)
    const no = { assignment: params.assignment, guardian: guardian.id, reason: body.reason }
    return commandReply((await handleCommand(deps.store, folderDecider, requestedApproval.folder, 'declineApproval', no, by)).position)
  }),

  'PUT /api/family/children/{player}/limit': async ({ deps, guardian, params, body, by }) => {
    await assertOwnChild(deps, guardian.id, params.player)
    const limit = { guardian: guardian.id, monthly: body.monthly }
    return commandReply((await handleCommand(deps.store, allowanceDecider, params.player, 'limit', limit, by)).position)
  },

  'POST /api/family/cards/setup': ctx => createCardSetupPage(ctx, ctx.guardian.id, ctx.body.back),
  'POST /api/family/cards/confirm': ctx => confirmSavedCard(ctx, ctx.guardian.id, ctx.body.session),
  'POST /api/family/cards/{card}/prefer': ctx => setPreferredCard(ctx, ctx.guardian.id, ctx.params.card),

  'POST /api/family/cards/{card}/take-over': async ({ deps, guardian, params, by }) => {
    const { store } = deps
    for (const { id: player } of await agreedChildren(deps, guardian.id)) {
      const playerWallet = await loadWallet(store, player)
      const card = playerWallet.cards.find(c => c.card === params.card)
      if (!card) continue
      // Add the card to the guardian's wallet before removing it from the child's, so that a retry completes an interrupted move.
      const taken = { ...card, customer: card.customer ?? playerWallet.customer!, player }
      const { position } = await handleCommand(store, walletDecider, guardian.id, 'takeOver', taken, by)
      await handleCommand(store, walletDecider, player, 'handOver', { card: card.card, guardian: guardian.id }, by)
      return commandReply(position)
    }
    const mine = (await store.read(streamOf(walletDecider.stream, guardian.id))).findLast(
      e => (e.data as Partial<SavedCard>).card === params.card,
    )
    return commandReply(assertFound(mine).position)
  },

  'DELETE /api/family/cards/{card}': withCaughtUpReadModels(['payments', 'assignments'], async ctx =>
    removeCard(ctx, ctx.guardian.id, ctx.params.card, await mustKeepCard(ctx.deps.sql, ctx.guardian.id)),
  ),

  'GET /api/family/payments/{payment}': withCaughtUpReadModels(['payments', 'folders'], async ({ deps, guardian, params }) => {
    const players = await agreedChildIds(deps, guardian.id)
    return assertFound(await paymentOfOwner(deps.sql, params.payment, { payer: guardian.id, players }, deps.clock()))
  }),
  'POST /api/family/payments/{payment}/pay': async ctx => {
    const { deps, guardian, params, body } = ctx
    const before = await loadPayment(deps.store, params.payment)
    if (!before.bill) throw notFound()
    if (before.bill.payer !== guardian.id) await assertOwnChild(deps, guardian.id, before.bill.player)
    return payBill(ctx, { id: params.payment, before, owner: guardian.id, who: 'guardian', body })
  },

  'POST /api/family/packages/checkout': async ctx => {
    const { player, package: type } = ctx.body
    const { firstName } = await assertOwnChild(ctx.deps, ctx.guardian.id, player)
    await assertConsentNotWithdrawn(ctx.deps, ctx.guardian.id, player)
    await assertNoDeletionScheduled(ctx.deps.store, player, { child: firstName })
    return createPackageCheckoutPage(ctx, { buyer: ctx.guardian.id, for: player, type, back: '/family/money' })
  },
  'POST /api/family/packages/confirm': async ctx => {
    const { credits } = await confirmPackageCheckout(ctx, ctx.guardian.id, ctx.body.session)
    return { credits }
  },
})
