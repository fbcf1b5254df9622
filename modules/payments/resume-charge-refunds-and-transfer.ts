import { loadPayment, type PaymentDependencies, performChargeAttempt } from './perform-charge-attempts.ts'
import { performRequestedRefund } from './perform-refunds.ts'
import { settleInstructorShare } from './share.ts'

/** Resumes what was interrupted: an attempt without a known outcome, a requested refund, a share that was not transferred or taken back. */
export async function resumeStuckPayment(deps: PaymentDependencies, id: string): Promise<void> {
  let p = await loadPayment(deps.store, id)
  if (p.status === 'processing') p = await performChargeAttempt(deps, id, p.last!.id)
  for (const [ours, { state }] of Object.entries(p.refunds)) if (state === 'asked') await performRequestedRefund(deps, id, ours)
  await settleInstructorShare(deps, id)
}
