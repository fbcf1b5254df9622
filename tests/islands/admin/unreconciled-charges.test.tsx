import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { UnreconciledChargesAndPackages } from '../../../src/islands/admin/UnreconciledChargesDialog.tsx'

const sum = { amount: 1550, refunded: 0, recordedRefund: 0, at: '2026-03-08T12:00:00.000Z' }
const charge = { charge: 'ch_1', payment: 'p1', difference: 'not-recorded' as const, ...sum }
const sale = {
  session: 'cs_1',
  purchase: 'b1',
  charge: 'ch_2',
  player: 'ana',
  label: '3 sessions',
  difference: 'not-recorded' as const,
  ...sum,
}

test('the command that records a payment is named with what else it does', () => {
  const html = renderToString(<UnreconciledChargesAndPackages unreconciled={{ charges: [charge], packages: [sale] }} />)
  const explanations = [...html.matchAll(/<p>(.*?)<\/p>/g)].map(([, text]) => text)
  const command = 'stop the servers and run npm run after-restore. Everybody then has to log in again.'
  expect(explanations).toEqual([
    `The log has the bill but not the payment. To record it, ${command}`,
    `The log does not have it. To record it with its sessions, ${command}`,
  ])
})
