import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import Stripe from 'stripe'
import { v7 as newId } from 'uuid'
import type { FolderEvent } from '../../../modules/folders/folder.ts'
import { handleCommand, loadState } from '../../../modules/kernel/decider.ts'
import type { Errand, Process } from '../../../modules/kernel/process.ts'
import { CommandRefused, type EventStore } from '../../../modules/kernel/store.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import { customerOf } from '../../../modules/payments/cards.ts'
import { loadPayment, settleAttempt } from '../../../modules/payments/charge.ts'
import { paymentErrands } from '../../../modules/payments/errands.ts'
import { type PaymentGateway, stripeGateway } from '../../../modules/payments/gateway.ts'
import { bookPackage, loadPurchase } from '../../../modules/payments/packages.ts'
import { payment, refundedCentsOf } from '../../../modules/payments/payment.ts'
import { paymentProcess } from '../../../modules/payments/payment-process.ts'
import { debtOf, payoutAccount } from '../../../modules/payments/payout-account.ts'
import { FULL_PRICE_TERMS } from '../../../modules/payments/pricing.ts'
import { purchase as pack, refundableCents } from '../../../modules/payments/purchase.ts'
import { OutcomeUnknown, RejectedRequest, RetryLater } from '../../../modules/payments/stripe/client.ts'
import { cardOf, wallet } from '../../../modules/payments/wallet.ts'
import { discountTermsOf, perks, remainingCredits } from '../../../modules/rewards/perks.ts'
import { reconcileCredits, rewardErrands, rewardProcess } from '../../../modules/rewards/reward-process.ts'
import { startStripeSandbox } from '../../../src/embedded/stripe/index.ts'
import { createPayingFamily, type FamilyMember, type PayingFamily } from './paying-family.ts'

const HOUR = 3600_000

/** Simulates a crash of the process at this point. */
export class SimulatedCrash extends Error {}

/** A Stripe sandbox that sends no webhooks, with an account that can receive transfers. */
export async function startSimulatedStripe() {
  const dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-till-'))
  const sandbox = await startStripeSandbox({ dataDir, log: pino({ level: 'error' }), webhookUrl: 'http://127.0.0.1:9/' })
  const control = (body: object) =>
    fetch(`${sandbox.pages}/_control`, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  await control({ webhooks: { hold: true } })
  const at = new URL(sandbox.pages)
  const stripe = new Stripe(sandbox.config.secretKey, { protocol: 'http', host: at.hostname, port: at.port, telemetry: false })
  const gateway = stripeGateway({ ...sandbox.config, origin: 'http://ours.test' })
  const account = await gateway.payoutAccount(newId(), 'coach@example.com', newId())
  const link = await gateway.onboardingLink(account, { returnUrl: 'http://ours.test/', refreshUrl: 'http://ours.test/' })
  const page = (await fetch(link, { redirect: 'manual' })).headers.get('location')!
  const details = {
    first: 'J',
    last: 'R',
    birth: '1990-01-01',
    ssn: '0000',
    routing: '110000000',
    account: '000123456789',
    action: 'submit',
  }
  await fetch(new URL(page, sandbox.pages), { method: 'POST', body: new URLSearchParams(details), redirect: 'manual' })
  // A share can exceed its charge; the rest comes from the platform's balance, which must not be empty.
  await stripe.paymentIntents.create({
    amount: 5_000_00,
    currency: 'usd',
    payment_method: 'pm_card_visa',
    confirm: true,
    off_session: true,
  })
  return {
    stripe,
    gateway,
    account,
    control: async (body: object) => {
      const answer = await control(body)
      if (!answer.ok) throw new Error(await answer.text())
    },
    pages: sandbox.pages,
    stop: async () => {
      await sandbox.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
export type SimulatedStripe = Awaited<ReturnType<typeof startSimulatedStripe>>

/** What happens to the next calls, in order; once used up, all succeed. */
export type CallOutcomes = ('fine' | 'crash before' | 'crash after' | 'no answer')[]

/** What a family does before the feedback, with the hours that pass meanwhile. */
export type FamilyStep = (family: PayingFamily, pass: (hours: number) => Promise<unknown>) => Promise<unknown>

/**
 * One payment, its player and its instructor, and a package or a guardian if it is `paidBy` one; what happens, in which order and how badly, is up
 * to the test. `before`: what the family of a minor does until the feedback.
 */
export async function startPaymentSimulation(
  { stripe, gateway: real, account, control }: SimulatedStripe,
  paidBy: 'card' | 'package' | 'guardian' = 'card',
  before: FamilyStep[] = [],
) {
  let now = Date.parse('2026-03-01T12:00:00.000Z')
  let luck: CallOutcomes = []
  let ready = false
  let blind = false
  let isEmpty = false
  let interlude: (() => Promise<unknown>) | undefined
  const meanwhile = async () => {
    const then = interlude
    interlude = undefined
    await then?.()
  }
  const clock = () => new Date(now)
  const plain = memoryStore(clock)

  const unlucky = async <T>(work: () => Promise<T>): Promise<T> => {
    const fate = luck.shift() ?? 'fine'
    if (fate === 'crash before') throw new SimulatedCrash()
    const done = await work()
    if (fate === 'crash after') throw new SimulatedCrash()
    if (fate === 'no answer') throw new OutcomeUnknown('nobody answered')
    return done
  }
  const store: EventStore = {
    ...plain,
    append: async (stream, expected, events) => {
      const fate = luck.shift() ?? 'fine'
      if (fate === 'crash before') throw new SimulatedCrash()
      const position = await plain.append(stream, expected, events)
      if (fate === 'crash after') throw new SimulatedCrash()
      return position
    },
  }
  const gateway: PaymentGateway = {
    ...real,
    charge: o => unlucky(() => real.charge(o).finally(meanwhile)),
    findCharge: (payment, attempt) => (blind ? Promise.resolve(null) : real.findCharge(payment, attempt)),
    abandon: (intent, k) => unlucky(() => real.abandon(intent, k)),
    refund: o => unlucky(() => real.refund(o)),
    transfer: o => unlucky(() => real.transfer(o).finally(meanwhile)),
    reverse: (transfer, amount, k) => unlucky(() => real.reverse(transfer, amount, k).finally(meanwhile)),
    accountStatus: async () => ({ takesTransfers: ready, requirements: ready ? [] : ['identity.individual.given_name'] }),
  }
  const till = { store, gateway, clock }
  let id = newId()
  const player = newId()
  const instructor = newId()
  const folder = newId()
  const family = paidBy === 'guardian' ? await createPayingFamily({ store: plain, clock, folderId: folder, player, instructor }) : null
  const owners = [player, ...(family?.guardians ?? [])]
  let owedElsewhere = 0
  const perform: Record<string, (payload: never, errand: { id: string }) => Promise<unknown>> = {
    ...paymentErrands(till, {
      payerOf: async () => (family ? family.payerNow() : player),
      possiblePayersOf: async () => owners,
      instructorOf: async () => instructor,
      taken: purchase => reconcileCredits(store, purchase),
    }),
    ...rewardErrands(store),
    'folder.paid': async () => {},
  }

  // A process and its outbox, as the kernel runs them.
  const outbox = new Map<string, Errand & { done: boolean }>()
  let read = -1n
  async function proceed() {
    const reading = plain.follow(read, AbortSignal.timeout(0))
    for await (const batch of reading) {
      for (const e of batch) {
        const answers = [paymentProcess, rewardProcess].map(of => (of as Process).on[e.type]?.(e as never) ?? [])
        for (const errand of answers.flat()) if (!outbox.has(errand.id)) outbox.set(errand.id, { ...errand, done: false })
        read = e.position
      }
    }
  }
  const due = () => [...outbox.values()].filter(e => !e.due || Date.parse(e.due) <= now)
  /** Performs an errand; if it may be retried later, it stays in the outbox. */
  async function run(errand: Errand & { done: boolean }) {
    try {
      await perform[errand.kind]!(errand.payload as never, errand)
      errand.done = true
    } catch (error) {
      if (
        !(
          error instanceof SimulatedCrash ||
          error instanceof OutcomeUnknown ||
          error instanceof RetryLater ||
          error instanceof RejectedRequest ||
          inProgress(error)
        )
      )
        throw error
    }
  }
  const inProgress = (error: unknown) => error instanceof CommandRefused && error.code === 'in-progress'

  const customers = new Map<string, string>()
  for (const owner of owners) customers.set(owner, await customerOf(till, owner))
  const customer = customers.get(player)!
  /** Of each owner, by kind. */
  const allCards = new Map(owners.map(owner => [owner, {} as Record<string, string>]))
  const cards = allCards.get(player)!
  async function saveCard(owner: string, kind: 'good' | 'declined' | 'authenticate') {
    const token = { good: 'pm_card_visa', declined: 'pm_card_chargeCustomerFail', authenticate: 'pm_card_authenticationRequired' }[kind]
    const method = await stripe.paymentMethods.attach(token, { customer: customers.get(owner)! })
    allCards.get(owner)![kind] = method.id
    const card = { card: method.id, brand: 'visa', last4: '4242', expMonth: 1, expYear: 2034 }
    await handleCommand(plain, wallet, owner, 'save', card, { command: newId(), actor: owner })
  }
  for (const owner of owners) for (const kind of ['declined', 'authenticate', 'good'] as const) await saveCard(owner, kind)
  await handleCommand(plain, payoutAccount, instructor, 'open', { account }, { command: newId(), actor: instructor })
  // A package of three credits; one of them pays for this folder.
  let bought: { purchase: string; charge: string; method: string } | null = null
  let terms = FULL_PRICE_TERMS
  if (paidBy === 'package') {
    const visit = { customer, player, returnUrl: 'http://ours.test/', cancelUrl: 'http://ours.test/', key: newId() }
    const page = await real.checkout({ ...visit, item: { name: 'Triple', amount: 4200 }, metadata: { package: 'triple', folders: '3' } })
    const card = { number: '4242424242424242', expiry: '12 / 34', cvc: '123', name: 'Ana' }
    await fetch(page.url, { method: 'POST', body: new URLSearchParams(card), redirect: 'manual' })
    const { purchase } = (await bookPackage(till, page.session))!
    await reconcileCredits(plain, purchase)
    const { charge } = (await loadPurchase(plain, purchase)).bought!
    bought = { purchase, charge, method: (await stripe.charges.retrieve(charge)).payment_method! }
    terms = await reserve(id)
  }
  async function reserve(assignment: string) {
    const terms = discountTermsOf(await loadState(plain, perks, player), null)
    await handleCommand(
      plain,
      perks,
      player,
      'reserve',
      { assignment, folder, player, referrer: null, terms },
      { command: newId(), actor: player },
    )
    return terms
  }
  /** Moves our clock and the provider's, which forgets idempotency keys after a day and pays out transfers after two. */
  async function pass(hours: number) {
    now += hours * HOUR
    await control({ hours })
  }
  async function runDue() {
    await proceed()
    for (const errand of due()) if (!errand.done) await run(errand)
  }
  async function deliverToFamily(family: PayingFamily) {
    for (const step of before) {
      await step(family, pass)
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
  await proceed()

  /** Who pressed "Pay", by attempt. */
  const tappedBy = new Map<string, string>()
  /** Presses "Pay" as the person who owes the payment or another family member, with that person's card, as the API does. */
  async function pay(kind: 'good' | 'declined' | 'authenticate', tip: number, who?: FamilyMember, command = newId()) {
    const p = await loadPayment(store, id)
    const owner = who && family ? family.walletFor(who, p.bill!) : (p.bill!.payer ?? player)
    if (!owner) return
    tappedBy.set(command, owner)
    const { card, brand, last4 } = cardOf(await loadState(store, wallet, owner), allCards.get(owner)![kind])
    const payer = owner === player ? ('player' as const) : ('guardian' as const)
    const chosen = {
      ...{ id: command, customer: customers.get(owner)!, card: { id: card, brand, last4 } },
      ...{ tip, by: payer, at: clock().toISOString() },
    }
    try {
      await handleCommand(store, payment, id, 'attempt', { ...chosen, total: p.bill!.total }, { command, actor: owner })
      await settleAttempt(till, id, command, false)
    } catch (error) {
      if (!(error instanceof SimulatedCrash || error instanceof OutcomeUnknown || error instanceof CommandRefused)) throw error
    }
  }

  const charges = async () => (await stripe.charges.list({ transfer_group: id, limit: 100 })).data
  const kinds = ['payment_intent.succeeded', 'charge.refunded', 'refund.updated', 'charge.dispute.created', 'charge.dispute.closed']
  /** The charges of this world's own, and that of its package. */
  const ours = async () => [...(await charges()), ...(bought ? [await stripe.charges.retrieve(bought.charge)] : [])]
  const refundsOf = async () =>
    (await Promise.all((await ours()).filter(c => c.paid).map(c => stripe.refunds.list({ charge: c.id, limit: 100 })))).flatMap(r => r.data)
  const disputesOf = async (charge: string) => (await stripe.disputes.list({ charge, limit: 100 })).data
  const tolerant = (work: Promise<unknown>) =>
    work.catch(error => {
      if (!(error instanceof CommandRefused)) throw error
    })
  /** `second`: a charge for a payment that was already paid. */
  type Which = 'payment' | 'second' | 'package'
  const chargeOf = async (which: Which) => {
    if (which === 'package') return bought?.charge
    const p = await loadPayment(plain, id)
    return which === 'second' ? Object.keys(p.doubled)[0] : p.paid?.charge
  }
  return {
    id,
    player,
    instructor,
    store: plain,
    family,
    /** The customer of everybody with a wallet. */
    customers,
    tappedBy,
    chargesOf: async (customer: string) => (await stripe.charges.list({ customer, limit: 100 })).data,
    till,
    pay,
    proceed,
    run,
    due,
    charges,
    now: () => loadPayment(plain, id),
    setLuck: (next: CallOutcomes) => {
      luck = next
    },
    /** Runs after the provider has performed the next charge or transfer, and before we get its response. */
    meanwhile: (then: () => Promise<unknown>) => {
      interlude = then
    },
    /** The provider does not find its own charges. */
    goBlind: (yes: boolean) => {
      blind = yes
    },
    errands: (kind: string) => [...outbox.values()].filter(e => e.kind === kind),
    removeCards: async () => {
      for (const card of Object.values(cards)) {
        await handleCommand(
          plain,
          wallet,
          player,
          'remove',
          { card, needed: false, now: clock().toISOString() },
          { command: newId(), actor: player },
        )
      }
    },
    pass,
    /** Performs all errands of the outbox. Calls no longer fail, except transfers from an empty balance. */
    async quiet() {
      luck = []
      for (let rounds = 0; rounds < 50; rounds++) {
        if (isEmpty && rounds > 3) return
        await proceed()
        const left = due().filter(e => !e.done)
        if (!left.length) return
        for (const errand of left) await run(errand)
      }
      throw new Error(`never quiet: ${JSON.stringify(due().filter(e => !e.done))}`)
    },
    /** Repeats everything: the process from the start of the log, and each errand. */
    async replay() {
      const ids = [...outbox.keys()]
      read = -1n
      await proceed()
      if (outbox.size !== ids.length) throw new Error('the process thought of something new')
      for (const errand of due()) await run(errand)
    },
    /** The webhooks that the provider would send now. */
    async notices() {
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
    async hear(notice: { type: string; object: string }) {
      await run({ id: newId(), kind: 'stripe.notice', payload: notice, done: false })
    },
    async becomeReady(yes = true) {
      ready = yes
      await run({ id: newId(), kind: 'payout.read', payload: { instructor }, done: false })
    },
    /** The player opens the bank's page for a failed attempt and confirms the payment. */
    async authenticate() {
      const p = await loadPayment(plain, id)
      const [[attempt, intent] = []] = Object.entries(p.open)
      if (!attempt || !intent) return
      const method = p.attempts[attempt]!.card.id
      const page = await real.authenticatePage({ intent, method, returnUrl: 'http://ours.test/', key: newId() }).catch(() => null)
      if (page?.outcome !== 'page') return
      await fetch(page.url, { method: 'POST', body: new URLSearchParams({ answer: 'complete' }), redirect: 'manual' })
    },
    async refund(amount: number) {
      const c = { refund: newId(), amount, reason: 'Wrong folder' }
      await tolerant(handleCommand(plain, payment, id, 'refund', c, { command: newId(), actor: newId() }))
    },
    async refundRest() {
      const p = await loadPayment(plain, id)
      if (p.paid && refundedCentsOf(p) < p.paid.amount) await this.refund(p.paid.amount - refundedCentsOf(p))
    },
    async refundPackage(whole: boolean) {
      if (!bought) return
      const p = await loadPurchase(plain, bought.purchase)
      const unused = (await loadState(plain, perks, player)).packs[bought.purchase]!.left
      const cents = refundableCents(p, unused)[whole ? 'whole' : 'unused']
      const c = { refund: newId(), whole, unused, cents, reason: 'Moved away' }
      await tolerant(handleCommand(plain, pack, bought.purchase, 'refund', c, { command: newId(), actor: newId() }))
    },
    /** A refund made in the provider's dashboard. */
    async refundOutside(which: 'payment' | 'package', amount: number) {
      const charge = await chargeOf(which)
      if (charge) await stripe.refunds.create({ charge, amount }).catch(() => {})
    },
    /** Whether the banks delay refunds from now on. */
    async slowBanks(yes: boolean) {
      const methods = [...Object.values(cards), ...(bought ? [bought.method] : [])]
      const number = yes ? '4000000000007726' : '4242424242424242'
      await control({
        cards: Object.fromEntries(methods.filter(m => m !== cards.declined && m !== cards.authenticate).map(m => [m, number])),
      })
    },
    /** The bank's result for the `n`th refund; a failed one stays failed. */
    async settleRefund(n: number, status: 'succeeded' | 'failed') {
      const open = (await refundsOf()).filter(r => r.status === 'pending' || (status === 'failed' && r.status === 'succeeded'))
      if (open.length) await control({ refunds: { [open[n % open.length]!.id]: status } })
    },
    async settleAll(status: 'succeeded' | 'failed') {
      const open = (await refundsOf()).filter(r => r.status === 'pending')
      if (open.length) await control({ refunds: Object.fromEntries(open.map(r => [r.id, status])) })
    },
    async dispute(which: Which = 'payment') {
      const charge = await chargeOf(which)
      const now = charge && (await stripe.charges.retrieve(charge))
      if (now && !now.refunded && !now.disputed) await control({ disputes: [charge] })
    },
    async endDispute(outcome: 'won' | 'lost', which: Which = 'payment') {
      const charge = await chargeOf(which)
      // A dispute that was lost may still be won.
      const open =
        charge && (await disputesOf(charge)).find(d => d.status === 'needs_response' || (d.status === 'lost' && outcome === 'won'))
      if (open) await control({ outcomes: { [open.id]: outcome } })
    },
    /** The provider refuses the next transfer or reversal, for a day under its key. */
    refuse: () => control({ calls: [{ match: 'POST /v1/transfers', how: 'refuse' }] }),
    /** Pays out the instructor's account to their bank, so that no transfer can be reversed from it. */
    emptyAccount: () => control({ payouts: [account] }),
    /** Empties the platform's balance, so that transfers are only possible from a charge. */
    emptyBalance: () => {
      isEmpty = true
      return control({ startingCents: -100_000_000 })
    },
    /** The card network gives the money back before there is a formal dispute. */
    async preventDispute(which: Which = 'payment') {
      const charge = await chargeOf(which)
      const now = charge && (await stripe.charges.retrieve(charge))
      if (now && !now.refunded && !now.disputed) await control({ prevented: [charge] })
    },
    /** The instructor has a debt from another session. */
    oweElsewhere: (cents: number) => {
      owedElsewhere += cents
      const more = { payment: newId(), nth: 1, cents }
      return handleCommand(plain, payoutAccount, instructor, 'settle', more, { command: newId(), actor: 'system' })
    },
    /** What the instructor owes in all, and for another session. */
    debts: async () => ({ all: debtOf(await loadState(plain, payoutAccount, instructor)), elsewhere: owedElsewhere }),
    calm: () => {
      isEmpty = false
      return control({ calls: [], startingCents: 1_000_000 })
    },
    /** Another folder is assigned with a credit, if there is one; and comes back, unless it stays. */
    async useCredit(stays: boolean) {
      const assignment = newId()
      const terms = await reserve(assignment)
      if (terms.credit && !stays)
        await handleCommand(plain, perks, player, 'giveBack', { assignment }, { command: newId(), actor: 'system' })
    },
    bought: () => bought,
    async credits() {
      const p = await loadState(plain, perks, player)
      return {
        left: remainingCredits(p),
        pack: bought && p.packs[bought.purchase]!,
        used: Object.values(p.reserved).filter(r => r.terms.credit).length,
      }
    },
    purchase: async () => (bought ? loadPurchase(plain, bought.purchase) : null),
    refundedAt: async (charge: string) => (await stripe.charges.retrieve(charge)).amount_refunded,
    async transfers() {
      const group = bought && (await stripe.charges.retrieve(bought.charge)).transfer_group
      const groups = [id, ...(group ? [group] : [])]
      return (await Promise.all(groups.map(transfer_group => stripe.transfers.list({ transfer_group, limit: 100 })))).flatMap(t => t.data)
    },
  }
}
export type PaymentSimulation = Awaited<ReturnType<typeof startPaymentSimulation>>
