import { expect, test } from 'vitest'
import { missingDisputeStages, reusedRefundIdRefusal } from '../../../modules/payments/refund-and-dispute-state.ts'

test.each([
  { known: undefined, status: 'open', missing: ['opened'] },
  { known: undefined, status: 'won', missing: ['opened', 'closed'] },
  { known: undefined, status: 'lost', missing: ['opened', 'closed'] },
  { known: 'open', status: 'open', missing: [] },
  { known: 'open', status: 'won', missing: ['closed'] },
  { known: 'open', status: 'lost', missing: ['closed'] },
  { known: 'lost', status: 'lost', missing: [] },
  { known: 'lost', status: 'won', missing: ['closed'] },
  { known: 'lost', status: 'open', missing: [] },
  { known: 'won', status: 'lost', missing: [] },
  { known: 'won', status: 'won', missing: [] },
] as const)('our record of a dispute ($known) catches up with the provider ($status)', ({ known, status, missing }) => {
  expect(missingDisputeStages(known ? { d1: known } : {}, 'd1', status)).toEqual(missing)
})

test('the refusal of a reused refund id names the amount of the earlier refund', () => {
  expect(reusedRefundIdRefusal({ amount: 1250, state: 'done' })).toMatchObject({
    code: 'refund-asked',
    message: 'This request already refunded $12.50. Reload the page to see it.',
  })
})
