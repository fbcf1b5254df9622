import { v7 as newId } from 'uuid'
import type { FolderEvent } from '../../../modules/folders/folder.ts'
import { handleCommand, loadState } from '../../../modules/kernel/decider.ts'
import type { Errand, Process } from '../../../modules/kernel/process.ts'
import { CommandRefused } from '../../../modules/kernel/store.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import { paymentErrandHandlers } from '../../../modules/payments/errand-handlers.ts'
import { purchaseDecider as pack, refundableCents } from '../../../modules/payments/package-purchase.ts'
import { paymentDecider, refundedOrPendingCents } from '../../../modules/payments/payment.ts'
import { paymentProcess } from '../../../modules/payments/payment-process.ts'
import { debtCentsOfPayoutState, payoutAccountAndDebtDecider } from '../../../modules/payments/payout-account-and-debt-decider.ts'
import { loadPayment, performChargeAttempt } from '../../../modules/payments/perform-charge-attempts.ts'
import { FULL_PRICE_TERMS } from '../../../modules/payments/pricing.ts'
import { loadPurchase } from '../../../modules/payments/record-package-sale-and-perform-refund.ts'
import { OutcomeUnknownError, RetryLaterError, StripeRejectedRequestError } from '../../../modules/payments/stripe/client.ts'
import { findOrCreateCustomer } from '../../../modules/payments/stripe-customer-and-saved-cards.ts'
import { requestedOrDefaultCard, walletDecider } from '../../../modules/payments/wallet.ts'
import { creditsAndPointsDecider, priceTermsOf, unusedPackageCredits } from '../../../modules/rewards/credits-and-points-decider.ts'
import {
  adjustCreditsToRefunds,
  creditsAndPointsProcess,
  rewardErrandHandlers,
} from '../../../modules/rewards/credits-and-points-process.ts'
import { faultyStoreAndGateway, SimulatedCrash } from './faulty-store-and-gateway.ts'
import { type BoughtPackage, buyPackage, providerAndBankActions } from './provider-and-bank-actions.ts'
import { createSimulatedFamily, type SimulatedFamily, type SimulatedFamilyPayer } from './simulated-family.ts'
import type { StripeSandboxWithoutWebhooks } from './stripe-sandbox-without-webhooks.ts'

const HOUR_MS = 3600_000
/** Something that a family does, or hours that pass. */
export type FamilyStep = (family: SimulatedFamily, advanceClock: (hours: number) => Promise<unknown>) => Promise<unknown>

/**
 * Simulates one payment with its player and instructor, and with a package or a guardian if `paidBy` names one. The test decides what
 * happens, in which order, and what fails. `before`: what the family of a minor does until the feedback.
 */
export async function startPaymentSimulation(
  stripeSandbox: StripeSandboxWithoutWebhooks,
  paidBy: 'card' | 'package' | 'guardian' = 'card',
  before: FamilyStep[] = [],
) {
  const { stripe, gateway: real, account, control } = stripeSandbox
  let now = Date.parse('2026-03-01T12:00:00.000Z')
  const clock = () => new Date(now)
  const plain = memoryStore(clock)
  const faults = faultyStoreAndGateway(plain, real, clock)
  const { deps } = faults
  const { store } = deps
  let id = newId()
  const player = newId()
  const instructor = newId()
  const folder = newId()
  const family = paidBy === 'guardian' ? await createSimulatedFamily({ store: plain, clock, folderId: folder, player, instructor }) : null
  const owners = [player, ...(family?.guardians ?? [])]
  let owedElsewhere = 0
  const perform: Record<string, (payload: never, errand: { id: string }) => Promise<unknown>> = {
    ...paymentErrandHandlers(deps, {
      payerOf: async () => (family ? family.payerNow() : player),
      currentAndFormerPayersOf: async () => owners,
      instructorOf: async () => instructor,
      revokeRefundedFolders: purchase => adjustCreditsToRefunds(store, purchase),
    }),
    ...rewardErrandHandlers(store),
    'folder.paid': async () => {},
  }

  // The processes and their outbox, as the kernel runs them.
  const outbox = new Map<string, Errand & { done: boolean }>()
  let read = -1n
  async function runProcesses() {
    const reading = plain.follow(read, AbortSignal.timeout(0))
    for await (const batch of reading) {
      for (const e of batch) {
        const answers = [paymentProcess, creditsAndPointsProcess].map(of => (of as Process).on[e.type]?.(e as never) ?? [])
        for (const errand of answers.flat()) if (!outbox.has(errand.id)) outbox.set(errand.id, { ...errand, done: false })
        read = e.position
      }
    }
  }
  const due = () => [...outbox.values()].filter(e => !e.due || Date.parse(e.due) <= now)
  /** Performs an errand. If it fails with an error that allows a retry, it stays due; other errors are thrown. */
  async function run(errand: Errand & { done: boolean }) {
    try {
      await perform[errand.kind]!(errand.payload as never, errand)
      errand.done = true
    } catch (error) {
      const retried = [SimulatedCrash, OutcomeUnknownError, RetryLaterError, StripeRejectedRequestError]
      if (!retried.some(kind => error instanceof kind) && !inProgress(error)) throw error
    }
  }
  const inProgress = (error: unknown) => error instanceof CommandRefused && error.code === 'in-progress'

  const customers = new Map<string, string>()
  for (const owner of owners) customers.set(owner, await findOrCreateCustomer(deps, owner))
  const customer = customers.get(player)!
  /** For each wallet owner, the ids of their cards at the provider, by kind. */
  const allCards = new Map(owners.map(owner => [owner, {} as Record<string, string>]))
  const cards = allCards.get(player)!
  async function saveCard(owner: string, kind: 'good' | 'declined' | 'authenticate') {
    const token = { good: 'pm_card_visa', declined: 'pm_card_chargeCustomerFail', authenticate: 'pm_card_authenticationRequired' }[kind]
    const method = await stripe.paymentMethods.attach(token, { customer: customers.get(owner)! })
    allCards.get(owner)![kind] = method.id
    const card = { card: method.id, brand: 'visa', last4: '4242', expMonth: 1, expYear: 2034 }
    await handleCommand(plain, walletDecider, owner, 'save', card, { command: newId(), actor: owner })
  }
  for (const owner of owners) for (const kind of ['declined', 'authenticate', 'good'] as const) await saveCard(owner, kind)
  await handleCommand(plain, payoutAccountAndDebtDecider, instructor, 'open', { account }, { command: newId(), actor: instructor })
  // A package of three credits; one of them pays for this folder.
  let bought: BoughtPackage | null = null
  let terms = FULL_PRICE_TERMS
  if (paidBy === 'package') {
    bought = await buyPackage(stripeSandbox, deps, { customer, player })
    await adjustCreditsToRefunds(plain, bought.purchase)
    terms = await reserve(id)
  }
  async function reserve(assignment: string) {
    const terms = priceTermsOf(await loadState(plain, creditsAndPointsDecider, player), null)
    await handleCommand(
      plain,
      creditsAndPointsDecider,
      player,
      'reserve',
      { assignment, folder, player, referral: null, terms },
      { command: newId(), actor: player },
    )
    return terms
  }
  /** Advances our clock and the provider's. The provider forgets idempotency keys after a day and pays out transfers after two. */
  async function advanceClock(hours: number) {
    now += hours * HOUR_MS
    await control({ hours })
  }
  async function runDue() {
    await runProcesses()
    for (const errand of due()) if (!errand.done) await run(errand)
  }
  async function deliverToFamily(family: SimulatedFamily) {
    for (const step of before) {
      await step(family, advanceClock)
      await runDue()
    }
    id = await family.deliver()
  }
  const given: FolderEvent = {
    type: 'FeedbackGiven',
    data: {
      assignment: id,
      player,
      instructor,
      review: { notes: [], summary: 'Good swing', grades: [] },
      billable: { videos: 2, bytes: 1000, notes: 3 },
      terms,
    },
  }
  if (family) await deliverToFamily(family)
  else {
    await plain.append(`folder-${folder}`, -1n, [
      { id: newId(), ...given, meta: { command: newId(), name: 'folder.deliver', actor: instructor } },
    ])
  }
  await runDue()
  await runProcesses()

  /** Who pressed "Pay", by attempt. */
  const payerOfAttempt = new Map<string, string>()
  /** Pays as the API does, with a card of the person who owes the payment, or of `who`. Does nothing if `who` may not pay this bill. */
  async function pay(kind: 'good' | 'declined' | 'authenticate', tip: number, who?: SimulatedFamilyPayer, command = newId()) {
    const p = await loadPayment(store, id)
    const owner = who && family ? family.walletFor(who, p.bill!) : (p.bill!.payer ?? player)
    if (!owner) return
    payerOfAttempt.set(command, owner)
    const { card, brand, last4 } = requestedOrDefaultCard(await loadState(store, walletDecider, owner), allCards.get(owner)![kind])
    const payer = owner === player ? ('player' as const) : ('guardian' as const)
    const chosen = {
      ...{ id: command, customer: customers.get(owner)!, card: { id: card, brand, last4 } },
      ...{ tip, by: payer, at: clock().toISOString() },
    }
    try {
      await handleCommand(store, paymentDecider, id, 'attempt', { ...chosen, total: p.bill!.total }, { command, actor: owner })
      await performChargeAttempt(deps, id, command, false)
    } catch (error) {
      if (!(error instanceof SimulatedCrash || error instanceof OutcomeUnknownError || error instanceof CommandRefused)) throw error
    }
  }

  const ignoringRefusal = (work: Promise<unknown>) =>
    work.catch(error => {
      if (!(error instanceof CommandRefused)) throw error
    })
  const providerAndBanks = providerAndBankActions(stripeSandbox, { plain, id, cards, bought })
  return {
    ...providerAndBanks,
    id,
    player,
    instructor,
    store: plain,
    family,
    /** Customer ids at the provider, by wallet owner. */
    customers,
    payerOfAttempt,
    deps,
    pay,
    runProcesses,
    run,
    due,
    now: () => loadPayment(plain, id),
    setCallOutcomes: faults.setCallOutcomes,
    runDuringNextCall: faults.runDuringNextCall,
    hideCharges: faults.hideCharges,
    errands: (kind: string) => [...outbox.values()].filter(e => e.kind === kind),
    removeCards: async () => {
      for (const card of Object.values(cards)) {
        await handleCommand(
          plain,
          walletDecider,
          player,
          'remove',
          { card, needed: false, now: clock().toISOString() },
          { command: newId(), actor: player },
        )
      }
    },
    advanceClock,
    /** Performs all errands that are due. Calls no longer fail, except transfers from an empty balance. */
    async waitUntilIdle() {
      faults.setCallOutcomes([])
      for (let rounds = 0; rounds < 50; rounds++) {
        if (providerAndBanks.isBalanceEmpty() && rounds > 3) return
        await runProcesses()
        const left = due().filter(e => !e.done)
        if (!left.length) return
        for (const errand of left) await run(errand)
      }
      throw new Error(`errands are still due: ${JSON.stringify(due().filter(e => !e.done))}`)
    },
    /** Repeats everything: runs the processes from the start of the log, and performs each due errand again. */
    async replay() {
      const ids = [...outbox.keys()]
      read = -1n
      await runProcesses()
      if (outbox.size !== ids.length) throw new Error('the replay created new errands')
      for (const errand of due()) await run(errand)
    },
    async deliverWebhook(notice: { type: string; object: string }) {
      await run({ id: newId(), kind: 'stripe.notice', payload: notice, done: false })
    },
    async setPayoutAccountReady(yes = true) {
      faults.setAccountReady(yes)
      await run({ id: newId(), kind: 'payout.read', payload: { instructor }, done: false })
    },
    async refund(amount: number) {
      const c = { refund: newId(), amount, reason: 'Wrong folder' }
      await ignoringRefusal(handleCommand(plain, paymentDecider, id, 'refund', c, { command: newId(), actor: newId() }))
    },
    async refundRest() {
      const p = await loadPayment(plain, id)
      if (p.paid && refundedOrPendingCents(p) < p.paid.amount) await this.refund(p.paid.amount - refundedOrPendingCents(p))
    },
    async refundPackage(whole: boolean) {
      if (!bought) return
      const p = await loadPurchase(plain, bought.purchase)
      const unused = (await loadState(plain, creditsAndPointsDecider, player)).packs[bought.purchase]!.left
      const cents = refundableCents(p, unused)[whole ? 'whole' : 'unused']
      const c = { refund: newId(), whole, unused, cents, reason: 'Moved away' }
      await ignoringRefusal(handleCommand(plain, pack, bought.purchase, 'refund', c, { command: newId(), actor: newId() }))
    },
    /** Gives the instructor a debt from another session. */
    addDebtOfAnotherSession: (cents: number) => {
      owedElsewhere += cents
      const more = { payment: newId(), nth: 1, cents }
      return handleCommand(plain, payoutAccountAndDebtDecider, instructor, 'settle', more, { command: newId(), actor: 'system' })
    },
    /** In cents: what the instructor owes in total, and the sum of the debts that were added for other sessions, even if paid since. */
    debts: async () => ({
      all: debtCentsOfPayoutState(await loadState(plain, payoutAccountAndDebtDecider, instructor)),
      elsewhere: owedElsewhere,
    }),
    /** Reserves a credit, if there is one, for another assignment. Unless `stays`, returns it, as if the assignment had been withdrawn. */
    async useCredit(stays: boolean) {
      const assignment = newId()
      const terms = await reserve(assignment)
      if (terms.credit && !stays)
        await handleCommand(plain, creditsAndPointsDecider, player, 'giveBack', { assignment }, { command: newId(), actor: 'system' })
    },
    bought: () => bought,
    async credits() {
      const p = await loadState(plain, creditsAndPointsDecider, player)
      return {
        left: unusedPackageCredits(p),
        pack: bought && p.packs[bought.purchase]!,
        used: Object.values(p.reserved).filter(r => r.terms.credit).length,
      }
    },
    purchase: async () => (bought ? loadPurchase(plain, bought.purchase) : null),
  }
}
export type PaymentSimulation = Awaited<ReturnType<typeof startPaymentSimulation>>
