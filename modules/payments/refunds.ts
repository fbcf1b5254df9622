import { derivedId, handle } from '../kernel/decider.ts'
import { paymentNow, type Till } from './charge.ts'
import { payment } from './payment.ts'
import { Misused } from './stripe/client.ts'
import type { Refund } from './stripe/refunds.ts'

const system = (...words: string[]) => ({ command: derivedId(...words), actor: 'system' })

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
