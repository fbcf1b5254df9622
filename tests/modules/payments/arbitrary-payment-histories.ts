import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { currentShareCentsOf, currentTransfer, refundedOrPendingCents } from '../../../modules/payments/payment.ts'
import { combinedDisputeState, sumNonFailedRefundCents } from '../../../modules/payments/refund-and-dispute-state.ts'
import type { CallOutcomes } from './faulty-store-and-gateway.ts'
import { type FamilyStep, type PaymentSimulation, startPaymentSimulation } from './payment-simulation-harness.ts'
import type { StripeSandboxWithoutWebhooks } from './stripe-sandbox-without-webhooks.ts'

// This file generates histories of a payment, and checks the invariants that must hold at the end of each.

type Step = (w: PaymentSimulation, luck: CallOutcomes) => Promise<unknown>
type NamedStep = [name: string, run: Step]
const chargeTarget = fc.constantFrom('payment' as const, 'package' as const)
const disputeOutcome = fc.constantFrom('won' as const, 'lost' as const)
const fixedStep = (name: string, run: Step) => fc.constant<NamedStep>([name, run])
const card = fc.constantFrom('good' as const, 'good' as const, 'declined' as const, 'authenticate' as const)
const tip = fc.constantFrom(0, 0, 300)

const step: fc.Arbitrary<NamedStep> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(card, tip).map(([c, t]): NamedStep => [`pay ${c} ${t}`, w => w.pay(c, t)]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(card, card)
      .map(([a, b]): NamedStep => [`pay in two tabs ${a} ${b}`, w => Promise.all([w.pay(a, 0), w.pay(b, 300)])]),
  },
  {
    weight: 6,
    arbitrary: fc.nat(20).map(
      (n): NamedStep => [
        `errand ${n}`,
        async w => {
          await w.runProcesses()
          const due = w.due()
          if (due.length) await w.run(due[n % due.length]!)
        },
      ],
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(20), fc.nat(20)).map(
      ([n, m]): NamedStep => [
        `errands ${n} and ${m} at once`,
        async w => {
          await w.runProcesses()
          const due = w.due()
          if (due.length) await Promise.all([w.run(due[n % due.length]!), w.run(due[m % due.length]!)])
        },
      ],
    ),
  },
  {
    weight: 3,
    arbitrary: fc.nat(15).map(
      (n): NamedStep => [
        `webhook ${n}`,
        async w => {
          const all = await w.pendingWebhooks()
          if (all.length) await w.deliverWebhook(all[n % all.length]!)
        },
      ],
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom(1, 12, 25, 24 * 7).map((h): NamedStep => [`${h} hours pass`, w => w.advanceClock(h)]) },
  {
    weight: 1,
    arbitrary: fc.boolean().map((yes): NamedStep => [`payouts ${yes ? 'ready' : 'not ready'}`, w => w.setPayoutAccountReady(yes)]),
  },
  { weight: 2, arbitrary: fixedStep('authenticate', w => w.authenticate()) },
  { weight: 8, arbitrary: fixedStep('every errand that is due', w => w.waitUntilIdle()) },
)
const stepAfterPayment: fc.Arbitrary<NamedStep> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(200, 300).map((n): NamedStep => [`refund ${n}`, w => w.refund(n)]) },
  { weight: 3, arbitrary: fixedStep('refund all that is left', w => w.refundRest()) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(chargeTarget, fc.constantFrom(200, 1400))
      .map(([of, n]): NamedStep => [`refund ${n} of the ${of} outside`, w => w.refundInDashboard(of, n)]),
  },
  { weight: 2, arbitrary: fc.boolean().map((yes): NamedStep => [`banks ${yes ? 'slow' : 'quick'}`, w => w.slowBanks(yes)]) },
  { weight: 3, arbitrary: fc.nat(9).map((n): NamedStep => [`refund ${n} fails`, w => w.settleRefund(n, 'failed')]) },
  { weight: 1, arbitrary: fc.nat(9).map((n): NamedStep => [`refund ${n} succeeds`, w => w.settleRefund(n, 'succeeded')]) },
  { weight: 1, arbitrary: chargeTarget.map((of): NamedStep => [`dispute of the ${of}`, w => w.dispute(of)]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(disputeOutcome, chargeTarget)
      .map(([how, of]): NamedStep => [`dispute of the ${of} ${how}`, w => w.endDispute(how, of)]),
  },
  { weight: 1, arbitrary: chargeTarget.map((of): NamedStep => [`dispute of the ${of} prevented`, w => w.preventDispute(of)]) },
  { weight: 1, arbitrary: fixedStep('the next transfer is refused', w => w.refuse()) },
  { weight: 2, arbitrary: fixedStep("the instructor's account is paid out", w => w.emptyAccount()) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(300, 900).map(
      (n): NamedStep => [
        `the instructor's account is paid out and gets ${n}`,
        async w => {
          await w.emptyAccount()
          await w.fundAccount(n)
        },
      ],
    ),
  },
  { weight: 1, arbitrary: fixedStep("the platform's balance is empty", w => w.emptyBalance()) },
  { weight: 1, arbitrary: fc.constantFrom(400, 5000).map((n): NamedStep => [`owes ${n} elsewhere`, w => w.addDebtOfAnotherSession(n)]) },
)
const withPackage: fc.Arbitrary<NamedStep> = fc.oneof(
  fc.boolean().map((whole): NamedStep => [`refund the package${whole ? '' : "'s unused folders"}`, w => w.refundPackage(whole)]),
  fc.boolean().map((stays): NamedStep => [`another folder with a credit${stays ? '' : ', taken back'}`, w => w.useCredit(stays)]),
)
const callOutcomes = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant('fine' as const) },
    { weight: 2, arbitrary: fc.constantFrom('crash before' as const, 'crash after' as const, 'no answer' as const) },
  ),
  { maxLength: 4 },
)
const steps = (of: fc.Arbitrary<NamedStep>, maxLength: number) =>
  fc.record({
    steps: fc.array(
      fc.tuple(of, callOutcomes).map(([[name, run], bad]) => ({ name, run, bad, toString: () => `${name} [${bad}]` })),
      { maxLength },
    ),
    /** How many refunds fail at the bank after everything else has ended. */
    late: fc.constantFrom(0, 0, 1, 2),
  })

/**
 * Histories of up to 14 steps. The first kind has the steps until the payment; the second adds refunds and chargebacks after it; the third
 * adds a package whose credit pays the base price.
 */
export const arbitraryStepsUntilPayment = steps(step, 14)
export const arbitraryRefundHistory = steps(fc.oneof({ weight: 1, arbitrary: step }, { weight: 2, arbitrary: stepAfterPayment }), 14)
export const arbitraryPaymentHistoryWithPackage = steps(
  fc.oneof({ weight: 1, arbitrary: step }, { weight: 2, arbitrary: stepAfterPayment }, { weight: 2, arbitrary: withPackage }),
  14,
)

const member = fc.constantFrom('player' as const, 'present guardian' as const, 'former guardian' as const)
/** Changes in the family that affect who pays. They can also happen after the feedback. */
const familyChange: fc.Arbitrary<[name: string, run: FamilyStep]> = fc.oneof(
  fc.constant<[string, FamilyStep]>(['consent is withdrawn', f => f.withdrawConsent()]),
  { weight: 2, arbitrary: fc.constant<[string, FamilyStep]>(['the guardian agrees', f => f.agree()]) },
  fc.constant<[string, FamilyStep]>(['another guardian takes over', f => f.changeGuardian()]),
  fc.constant<[string, FamilyStep]>(['the player turns 18', f => f.turn18()]),
)
const beforeFeedback: fc.Arbitrary<[name: string, run: FamilyStep]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<[string, FamilyStep]>(['the player asks', f => f.ask()]) },
  { weight: 3, arbitrary: fc.constant<[string, FamilyStep]>(['the guardian approves', f => f.approve()]) },
  fc.constant<[string, FamilyStep]>(['the guardian declines', f => f.decline()]),
  fc.constant<[string, FamilyStep]>(['the player takes it back', f => f.takeBack()]),
  fc.constantFrom(null, 1000, 2500, 6000).map((cents): [string, FamilyStep] => [`a limit of ${cents}`, f => f.setLimit(cents)]),
  fc.constantFrom(1, 30, 24 * 20).map((hours): [string, FamilyStep] => [`${hours} hours pass`, (_, advanceClock) => advanceClock(hours)]),
  familyChange,
)
const familyStep: fc.Arbitrary<NamedStep> = fc.oneof(
  { weight: 2, arbitrary: familyChange.map(([name, run]): NamedStep => [name, w => run(w.family!, w.advanceClock)]) },
  { weight: 3, arbitrary: fc.tuple(card, member).map(([c, who]): NamedStep => [`the ${who} pays ${c}`, w => w.pay(c, 0, who)]) },
)

/** Histories of a minor for whom a guardian pays: up to ten steps before the feedback, and up to ten until it is paid. */
export const arbitraryFamilyHistory = fc
  .tuple(
    fc.array(
      beforeFeedback.map(([name, run]) => ({ name, run, toString: () => name })),
      { maxLength: 10 },
    ),
    steps(fc.oneof({ weight: 2, arbitrary: step }, { weight: 1, arbitrary: familyStep }), 10),
  )
  .map(([before, history]) => ({ ...history, before }))

/** Plays a history to its end and checks the invariants. Then repeats all errands and webhooks, which must change nothing. */
export async function playAndCheckPaymentHistory(
  bank: StripeSandboxWithoutWebhooks,
  kind: 'paying' | 'returning' | 'of a package' | 'of a family',
  history: { steps: { run: Step; bad: CallOutcomes }[]; late: number; before?: { run: FamilyStep }[] },
) {
  const paidBy = kind === 'of a package' ? 'package' : kind === 'of a family' ? 'guardian' : 'card'
  const w = await startPaymentSimulation(
    bank,
    paidBy,
    history.before?.map(({ run }) => run),
  )
  if (kind === 'returning' || kind === 'of a package') {
    await w.setPayoutAccountReady()
    await w.pay('good', 300)
  }
  for (const { run, bad } of history.steps) {
    w.setCallOutcomes([...bad])
    await run(w, bad)
  }
  await end(w, history.late)
  await check(w)
  const before = JSON.stringify([await w.now(), await w.credits(), await w.debts()])
  await w.replay()
  for (const notice of (await w.pendingWebhooks()).reverse()) await w.deliverWebhook(notice)
  await w.waitUntilIdle()
  strictEqual(JSON.stringify([await w.now(), await w.credits(), await w.debts()]), before)
  await check(w)
}

/** Ends all faults, lets eight days pass, pays the bill if it is unpaid, completes pending refunds, and then makes `late` refunds fail. */
async function end(w: PaymentSimulation, late: number) {
  w.setCallOutcomes([])
  await w.clearFaults()
  await w.setPayoutAccountReady()
  const deliverAllWebhooks = async () => {
    for (const notice of await w.pendingWebhooks()) await w.deliverWebhook(notice)
    await w.waitUntilIdle()
  }
  await w.waitUntilIdle()
  await deliverAllWebhooks()
  await w.advanceClock(8 * 24)
  await w.waitUntilIdle()
  if (!(await w.now()).paid) await w.pay('good', 0)
  await w.waitUntilIdle()
  await w.settleAll('succeeded')
  await deliverAllWebhooks()
  for (let n = 0; n < late; n++) await w.settleRefund(n, 'failed')
  await deliverAllWebhooks()
}

/**
 * Asserts the invariants: one charge succeeded, and there is at most one transfer of the instructor's share that was not reversed; what the
 * instructor has received in excess is a debt; the player has only credits that were paid for; and the log agrees with the provider.
 */
async function check(w: PaymentSimulation) {
  const p = await w.now()
  strictEqual(p.status, 'paid')
  const attempt = p.attempts[p.paid!.attempt]!
  strictEqual(p.paid!.amount, p.bill!.total + attempt.tip)

  const charges = (await w.charges()).filter(c => c.paid)
  deepStrictEqual(
    charges.map(c => [c.id, c.amount, c.amount_refunded]),
    [[p.paid!.charge, p.paid!.amount, refundedOrPendingCents(p)]],
  )

  const transfers = (await w.transfers()).filter(t => t.metadata.payment === w.id)
  strictEqual(new Set(transfers.map(t => t.metadata.nth)).size, transfers.length)
  const owed = Object.fromEntries(p.transfers.filter(t => t.owed).map(t => [t.id, t.owed]))
  const left = transfers.filter(t => t.amount_reversed < t.amount).map(t => [t.id, t.amount - t.amount_reversed] as const)
  deepStrictEqual(Object.fromEntries(left.filter(([id]) => owed[id])), owed)
  const standing = left.filter(([id]) => !owed[id])
  const current = currentTransfer(p)
  ok(standing.length <= 1)
  deepStrictEqual(standing, current ? [[current.id, current.amount]] : [])
  strictEqual(current ? current.amount + current.netted : 0, currentShareCentsOf(p))
  const dispute = combinedDisputeState(p.disputes)
  const theirs = refundedOrPendingCents(p) < p.paid!.amount && dispute !== 'open' && dispute !== 'lost'
  if (theirs) strictEqual(currentShareCentsOf(p), 1200 + p.paid!.tip)
  const debts = await w.debts()
  strictEqual(
    left.reduce((all, [, cents]) => all + cents, 0),
    currentShareCentsOf(p) + debts.all - debts.elsewhere,
  )
  ok(debts.all >= 0)

  await checkFamily(w)
  const pack = await w.purchase()
  if (!pack?.bought) return
  strictEqual(sumNonFailedRefundCents(pack.refunds), await w.refundedAt(pack.bought.charge))
  const { left: unused, pack: credits, used } = await w.credits()
  const taken = Object.values(credits!.taken)
  strictEqual(unused + used + taken.reduce((all, t) => all + t.folders, 0), 3)
  const holds = Object.entries(pack.refunds).filter(([, r]) => r.state !== 'failed')
  const whole = holds.some(([id]) => pack.whole.includes(id)) || ['open', 'lost'].includes(combinedDisputeState(pack.disputes)!)
  if (whole) strictEqual(unused, 0)
  else strictEqual(taken.filter(t => t.whole).length, 0)
  if (!holds.length && !whole) strictEqual(unused, 3 - used)
}

/**
 * Asserts that the payer owes at most the amount they agreed to; that every attempt charged the person who started it, or the payer if the
 * schedule started it; and that only sessions with feedback count toward the monthly limit.
 */
async function checkFamily(w: PaymentSimulation) {
  if (!w.family) return
  const p = await w.now()
  const { payer, atMost } = await w.family.agreedFor(w.id)
  strictEqual(p.bill!.payer ?? w.player, payer)
  ok(p.bill!.total <= atMost)
  for (const attempt of Object.values(p.attempts)) {
    const owner = attempt.by === 'schedule' ? payer : w.payerOfAttempt.get(attempt.id)!
    strictEqual(attempt.customer, w.customers.get(owner))
  }
  const { customer: charged } = p.attempts[p.paid!.attempt]!
  for (const customer of w.customers.values()) {
    const paid = (await w.chargesOf(customer)).filter(c => c.paid).map(c => c.id)
    deepStrictEqual(paid, customer === charged ? [p.paid!.charge] : [])
  }
  const spent = await w.family.spent()
  for (const ended of await w.family.endedAssignments()) strictEqual(spent[ended]?.cents ?? 0, 0)
  if (payer !== w.player) strictEqual(spent[w.id]!.cents, p.bill!.total)
}
