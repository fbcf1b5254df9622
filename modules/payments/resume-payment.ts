import { loadPayment, type PaymentDeps, settleAttempt } from './charge.ts'
import { refundPayment } from './refunds.ts'
import { settleShare } from './share.ts'

/** Takes up what was given up on the way: an attempt nobody knows the end of, a refund that was asked for, a share that is still here. */
export async function resumePayment(till: PaymentDeps, id: string): Promise<void> {
  let p = await loadPayment(till.store, id)
  if (p.status === 'processing') p = await settleAttempt(till, id, p.last!.id)
  for (const [ours, { state }] of Object.entries(p.refunds)) if (state === 'asked') await refundPayment(till, id, ours)
  await settleShare(till, id)
}
