import { derivedId, handleCommand, loadState, systemCommandSource } from '../kernel/decider.ts'
import { type PurchaseState, unrefundedCents } from './package-purchase.ts'
import { currentShareCentsOf, currentTransfer, type PaymentState, paymentDecider, refundedOrPendingCents } from './payment.ts'
import { payoutAccountAndDebtDecider, recordedWithheldCents } from './payout-account-and-debt-decider.ts'
import { loadPayment, type PaymentDependencies } from './perform-charge-attempts.ts'
import { loadPurchase } from './record-package-sale-and-perform-refund.ts'
import { RetryLaterError, StripeRejectedRequestError } from './stripe/client.ts'

/**
 * Settles the instructor's share and debt: transfers the share, or holds it until the payout account is ready, or reverses the transfer
 * after a full refund or a lost dispute. Idempotent; continues a settlement that was interrupted.
 */
export async function settleInstructorShare(deps: PaymentDependencies, id: string): Promise<void> {
  const { store } = deps
  const p = await loadPayment(store, id)
  await settleDebts(deps, id, p)
  const amount = currentShareCentsOf(p)
  const has = currentTransfer(p)
  if (has) return amount > 0 ? undefined : takeBack(deps, id, p, has.id)
  // The instructor should have nothing now, because of a refund or dispute. An earlier transfer may have gone through although its response
  // was lost. If so, it is recorded, and the share is then settled again.
  if (amount === 0) return p.paid ? recordFoundTransfer(deps, id, p) : undefined
  const { instructor } = p.bill!
  const { ready, account } = await loadState(store, payoutAccountAndDebtDecider, instructor)
  if (ready && account) return transferShare(deps, id, p, amount, account)
  // A share can be held, released and held again, so each command gets a new id. The command does nothing if the account is ready by now.
  await handleCommand(store, payoutAccountAndDebtDecider, instructor, 'hold', { payment: id }, systemCommandSource())
  if ((await loadState(store, payoutAccountAndDebtDecider, instructor)).held.includes(id)) return
  return settleInstructorShare(deps, id)
}

/**
 * Updates what each transfer of this payment adds to the instructor's debt: a reversed one, the cents that could not be taken back; any
 * other, minus the cents that were withheld from it.
 */
async function settleDebts({ store }: PaymentDependencies, id: string, p: PaymentState): Promise<void> {
  for (const [i, { reversed, owed, netted }] of p.transfers.entries()) {
    const cents = reversed ? owed : -netted
    await handleCommand(
      store,
      payoutAccountAndDebtDecider,
      p.bill!.instructor,
      'settle',
      { payment: id, nth: i + 1, cents },
      systemCommandSource(),
    )
  }
}

const packOf = async ({ store }: PaymentDependencies, p: PaymentState) => (p.bill!.purchase ? loadPurchase(store, p.bill!.purchase) : null)
/** Identifies the payment's next transfer at the provider, by its number. `charge`: the charge of the package that may fund it. */
const identifyNextTransfer = (id: string, p: PaymentState, pack: PurchaseState | null) => ({
  payment: id,
  nth: p.transfers.length + 1,
  charge: pack?.bought?.charge,
})

/** Records a transfer that was made but not recorded yet. The recorded event then schedules the errand that settles the share again. */
async function recordFoundTransfer(deps: PaymentDependencies, id: string, p: PaymentState): Promise<void> {
  const which = identifyNextTransfer(id, p, await packOf(deps, p))
  const made = await deps.gateway.findTransfer(which)
  if (made) return recordTransfer(deps, id, made)
  // The transfer was not made, so nothing was withheld from it to reduce the debt.
  await handleCommand(
    deps.store,
    payoutAccountAndDebtDecider,
    p.bill!.instructor,
    'settle',
    { payment: id, nth: which.nth, cents: 0 },
    systemCommandSource(),
  )
}
const recordTransfer = async (
  { store, clock }: PaymentDependencies,
  id: string,
  made: { id: string; destination: string; amount: number },
) => {
  await handleCommand(
    store,
    paymentDecider,
    id,
    'transferred',
    { transfer: made.id, account: made.destination, amount: made.amount, at: clock().toISOString() },
    systemCommandSource(derivedId(id, 'transferred', made.id)),
  )
}

async function transferShare(deps: PaymentDependencies, id: string, p: PaymentState, share: number, destination: string): Promise<void> {
  const { store, gateway } = deps
  const pack = await packOf(deps, p)
  const which = identifyNextTransfer(id, p, pack)
  const found = await gateway.findTransfer(which)
  if (found) return recordTransfer(deps, id, found)
  const amount = share - (await net())
  const sources = [
    { charge: p.paid!.charge, left: p.paid!.amount - refundedOrPendingCents(p) },
    ...(pack?.bought ? [{ charge: pack.bought.charge, left: unrefundedCents(pack) }] : []),
  ]
  // A share that neither its own charge nor its package's covers is paid from the platform's balance.
  const source = sources.find(s => amount <= s.left && !p.drained.includes(s.charge))?.charge
  const made = await transfer()
  if (!made) return settleInstructorShare(deps, id)
  await recordTransfer(deps, id, made)

  /** Decides, once for each transfer, how many cents of the share are withheld to reduce the instructor's debt, and returns them. */
  async function net(): Promise<number> {
    const { instructor } = p.bill!
    const of = { payment: id, nth: which.nth }
    await handleCommand(store, payoutAccountAndDebtDecider, instructor, 'net', { ...of, share }, systemCommandSource())
    return recordedWithheldCents(await loadState(store, payoutAccountAndDebtDecider, instructor), of)
  }

  /** Makes the transfer. @returns null if the share cannot be paid from `source` */
  async function transfer(): Promise<{ id: string; destination: string; amount: number } | null> {
    try {
      const key = derivedId(id, 'transfer', which.nth, p.refusals)
      return { id: await gateway.transfer({ ...which, amount, destination, source, key }), destination, amount }
    } catch (error) {
      if (!isDefiniteRefusal(error)) throw error
      // An earlier try may have used the same idempotency key with another amount and succeeded.
      const made = await gateway.findTransfer(which)
      if (made) return made
      const drained = ERROR_CODES_UNRELATED_TO_SOURCE.includes(error.code) ? null : (source ?? null)
      await refused(deps, id, p, { of: 'transfer', source: drained, code: error.code })
      if (drained) return null
      throw error
    }
  }
}

/**
 * Reverses a transfer. If the instructor's account does not have enough, what it has is taken back, and the rest becomes a debt. The
 * missing amount is recorded once, before anything is taken back, so that two servers reverse the same amount under the same key.
 */
async function takeBack(deps: PaymentDependencies, id: string, p: PaymentState, transfer: string): Promise<void> {
  const { store, gateway, clock } = deps
  const there = await gateway.fetchTransfer(transfer)
  const left = there.amount - there.reversed
  let owed = p.shortfall === null ? 0 : Math.min(p.shortfall, left)
  let reversal = transfer
  try {
    if (left > owed) reversal = await gateway.reverse(transfer, left - owed, derivedId(id, 'reverse', transfer, p.refusals))
  } catch (error) {
    if (!isDefiniteRefusal(error)) throw error
    const refusal = { of: 'reversal' as const, source: null, code: error.code }
    if (!DESTINATION_IS_EMPTY.includes(error.code)) {
      await refused(deps, id, p, refusal)
      throw error
    }
    if (p.shortfall === null) {
      const available = await gateway.availableCents(there.destination)
      await refused(deps, id, p, { ...refusal, shortfall: Math.max(0, left - available) })
      return settleInstructorShare(deps, id)
    }
    owed = left
  }
  if (owed > 0) {
    const debt = { transfer, amount: owed, at: clock().toISOString() }
    await handleCommand(store, paymentDecider, id, 'owed', debt, systemCommandSource(derivedId(id, 'owed', transfer)))
  } else {
    await handleCommand(
      store,
      paymentDecider,
      id,
      'reversed',
      { transfer, reversal },
      systemCommandSource(derivedId(id, 'reversed', transfer)),
    )
  }
}

/** Error codes of transfers that say nothing about the source, so the same source can be tried again. */
const ERROR_CODES_UNRELATED_TO_SOURCE = ['insufficient_capabilities_for_transfer', 'idempotency_error']
/** Error codes for a reversal that exceeds the balance of the instructor's account. */
const DESTINATION_IS_EMPTY = ['balance_insufficient', 'insufficient_funds']

/** Whether the provider definitely refused: it would repeat the refusal for the same key, so the next try needs another key. */
const isDefiniteRefusal = (error: unknown): error is StripeRejectedRequestError | RetryLaterError =>
  error instanceof StripeRejectedRequestError || (error instanceof RetryLaterError && error.code === 'balance_insufficient')

const refused = (
  { store, clock }: PaymentDependencies,
  id: string,
  p: PaymentState,
  what: { of: 'transfer' | 'reversal'; source: string | null; code: string; shortfall?: number },
) =>
  handleCommand(
    store,
    paymentDecider,
    id,
    'shareRefused',
    { ...what, at: clock().toISOString() },
    systemCommandSource(derivedId(id, 'refused', `${p.refusals}`)),
  )
