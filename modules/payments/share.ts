import { v7 as newId } from 'uuid'
import { derivedId, fold, handle } from '../kernel/decider.ts'
import { paymentNow, type Till } from './charge.ts'
import { payment, refunded, shareOf } from './payment.ts'
import { payoutAccount } from './payout-account.ts'

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
