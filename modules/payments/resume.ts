import { paymentNow, settle, type Till } from './charge.ts'
import { refund } from './refunds.ts'
import { share } from './share.ts'

/** Takes up what was given up on the way: an attempt nobody knows the end of, a refund that was asked for, a share that is still here. */
export async function resume(till: Till, id: string): Promise<void> {
  let p = await paymentNow(till.store, id)
  if (p.status === 'processing') p = await settle(till, id, p.last!.id)
  for (const [ours, { state }] of Object.entries(p.refunds)) if (state === 'asked') await refund(till, id, ours)
  await share(till, id)
}
