import { expect, test } from 'vitest'
import { letterErrandTestbed, sampleLetterBill } from './letter-errand-testbed.ts'

test.each([undefined, 'maria'])('a letter about a due bill without a saved card announces no charge (payer: %s)', async payer => {
  const { sent, run } = letterErrandTestbed({ bill: async () => ({ ...sampleLetterBill, saved: null, ...(payer && { payer }) }) })
  await run('charge-coming', { payment: 'y1' })
  expect(sent[0]!.subject).toMatch(/is due on Sunday, March 8/)
  expect(sent[0]!.html).not.toMatch(/will (be )?charge/)
})
