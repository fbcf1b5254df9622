import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Payment, PaymentCard } from '../../modules/payments/contract.ts'
import { PayPanel } from '../../src/payments/PayPanel.tsx'

const bill: Payment = {
  ...{
    id: 'b1',
    folder: 'f1',
    folderName: 'Fall bullpen',
    player: 'p1',
    playerName: 'Leo Day',
    instructor: 'i1',
    instructorName: 'Jo Kim',
  },
  ...{ status: 'due', items: [{ label: 'Feedback session', cents: 1500 }], total: 1500, tip: 0, refunded: 0 },
  ...{ opened: '2026-05-10T18:00:00.000Z', due: '2026-05-17T18:00:00.000Z', paid: null, overdue: false, isOwedByAnother: false },
  ...{ card: null, failure: null, receipt: null, share: 1200, transferred: null },
}
const card: PaymentCard = { id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2099, preferred: true }

/** The text of the panel, without React's comments. */
const panel = (payment: Partial<Payment>, { cards = [card], back = '/player/folder/f1' } = {}) =>
  renderToString(<PayPanel payment={{ ...bill, ...payment }} cards={cards} back={back} />).replaceAll(/<!-- -->|<[^>]*>/g, '')

test("only the payer of a bill reads that it is charged to 'your saved card'", () => {
  expect(panel({})).toContain('7 days after the feedback, we charge your saved card')
  const family = panel({ isOwedByAnother: true }, { back: '/family/money/b1' })
  expect(family).toContain('A former parent or guardian agreed to pay this. You may pay it instead.')
  expect(family).toContain('we charge their saved card')
  expect(panel({ isOwedByAnother: true })).toContain('Your parent or guardian agreed to pay this.')
})
