import { completeChargeAttempt, loadPayment, type PaymentDependencies } from './charge-attempts.ts'
import { refundPayment } from './refunds.ts'
import { settleInstructorShare } from './share.ts'

/** Resumes what was interrupted: an attempt without a known outcome, a requested refund, a share that was not transferred. */
export async function resumePayment(deps: PaymentDependencies, id: string): Promise<void> {
  let p = await loadPayment(deps.store, id)
  if (p.status === 'processing') p = await completeChargeAttempt(deps, id, p.last!.id)
  for (const [ours, { state }] of Object.entries(p.refunds)) if (state === 'asked') await refundPayment(deps, id, ours)
  await settleInstructorShare(deps, id)
}
