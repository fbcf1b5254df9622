import { v7 as newId } from 'uuid'
import { derivedId, fold, handle } from '../kernel/decider.ts'
import { paymentNow, settle, type Till } from './charge.ts'
import { payment, refunded, shareOf } from './payment.ts'
import { payoutAccount } from './payout-account.ts'
import { Misused } from './stripe/client.ts'
import type { Refund } from './stripe/refunds.ts'

const system = (...words: string[]) => ({ command: derivedId(...words), actor: 'system' })

/**
 * Makes the instructor have what is theirs by now: transfers it once the payout account is ready, or takes it back. Whatever happened
 * since, doing it again leads to the same.
 */
export async function share(till: Till, id: string): Promise<void> {
  const { store, gateway, clock } = till
  const p = await paymentNow(store, id)
  const amount = shareOf(p)
  if (p.transfer) {
    if (amount > 0 || p.transfer.reversed) return
    const there = await gateway.fetchTransfer(p.transfer.id)
    const left = there.amount - there.reversed
    const reversal = left > 0 ? await gateway.reverse(p.transfer.id, left, derivedId(id, 'reverse')) : p.transfer.id
    await handle(store, payment, id, 'reversed', { reversal }, system(id, 'reversed'))
    return
  }
  if (amount === 0) return
  const { instructor } = p.bill!
  const account = fold(payoutAccount, await store.read(`payout-${instructor}`))
  if (!account.ready || !account.account) {
    // A share may be held, released and held again, so the command is a new one each time. Silent where the account got ready meanwhile.
    await handle(store, payoutAccount, instructor, 'hold', { payment: id }, { command: newId(), actor: 'system' })
    if (fold(payoutAccount, await store.read(`payout-${instructor}`)).held.includes(id)) return
    return share(till, id)
  }
  const made = await gateway.findTransfer(id)
  // Money of a discounted or partly refunded charge does not suffice: then it comes out of the platform's balance.
  const sourceCharge = amount <= p.paid!.amount && refunded(p) === 0 ? p.paid!.charge : undefined
  const transfer =
    made?.id ??
    (await gateway.transfer({ payment: id, amount, destination: account.account, sourceCharge, key: derivedId(id, 'transfer') }))
  const fact = { transfer, account: made?.destination ?? account.account, amount: made?.amount ?? amount, at: clock().toISOString() }
  await handle(store, payment, id, 'transferred', fact, system(id, 'transferred'))
}

/** Gives back what an admin asked for. */
export async function refund({ store, gateway }: Till, id: string, ours: string): Promise<void> {
  const p = await paymentNow(store, id)
  const asked = p.refunds[ours]
  if (asked?.state !== 'asked') return
  const { charge } = p.paid!
  const done = await give(gateway, charge, ours, asked.amount, 'requested_by_customer')
  const command = done.status === 'failed' ? 'refundFailed' : 'refunded'
  await handle(store, payment, id, command, { refund: ours }, system(id, command, ours))
}

/** Takes up what was given up on the way: an attempt nobody knows the end of, a refund that was asked for, a share that is still here. */
export async function resume(till: Till, id: string): Promise<void> {
  let p = await paymentNow(till.store, id)
  if (p.status === 'processing') p = await settle(till, id, p.last!.id)
  for (const [ours, { state }] of Object.entries(p.refunds)) if (state === 'asked') await refund(till, id, ours)
  await share(till, id)
}

/** Gives back a second charge for the same payment. */
export async function giveBack({ store, gateway }: Till, id: string, charge: string, amount: number): Promise<void> {
  if ((await paymentNow(store, id)).doubled[charge] !== 'kept') return
  await give(gateway, charge, derivedId(id, 'doubled', charge), amount, 'duplicate')
  await handle(store, payment, id, 'returned', { charge }, system(id, 'returned', charge))
}

async function give(gateway: Till['gateway'], charge: string, ours: string, amount: number, reason: 'duplicate' | 'requested_by_customer') {
  const made = await gateway.findRefund(charge, ours)
  if (made) return made
  try {
    return await gateway.refund({ refund: ours, charge, amount, reason, key: derivedId(charge, 'refund', ours) })
  } catch (error) {
    if (error instanceof Misused) return { status: 'failed' } satisfies Pick<Refund, 'status'>
    throw error
  }
}
