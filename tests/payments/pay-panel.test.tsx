import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Payment, PaymentCard, PaymentFailureReason } from '../../modules/payments/contract.ts'
import { PreloadedPageDataContext } from '../../src/page-load/preloaded-page-data-context.ts'
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
  ...{ status: 'due', isDisputeLost: false, items: [{ label: 'Feedback session', cents: 1500 }], total: 1500, tip: 0, refunded: 0 },
  ...{ opened: '2026-05-10T18:00:00.000Z', due: '2026-05-17T18:00:00.000Z', paid: null, overdue: false, isOwedByAnother: false },
  ...{ card: null, cardId: null, failure: null, receipt: null, share: 1200, transferred: null },
}
const card: PaymentCard = { id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2099, preferred: true }

const panelHtml = (
  payment: Partial<Payment>,
  { cards = [card], back = '/player/folder/f1?session=b1', address = '' }: { cards?: PaymentCard[]; back?: string; address?: string } = {},
) =>
  renderToString(
    <PreloadedPageDataContext value={{ renderedAt: 0, timeZone: 'UTC', readMarks: '', address: address || back, answers: {} }}>
      <PayPanel payment={{ ...bill, ...payment }} cards={cards} back={back} />
    </PreloadedPageDataContext>,
  ).replaceAll('<!-- -->', '')
/** Renders the panel and returns its text. */
const panel = (...shown: Parameters<typeof panelHtml>) => panelHtml(...shown).replaceAll(/<[^>]*>/g, '')

test("only the payer of a bill reads that it is charged to 'your saved card'", () => {
  expect(panel({})).toContain('7 days after the feedback, we will charge your saved card')
  const family = panel({ isOwedByAnother: true }, { back: '/family/money/b1' })
  expect(family).toContain('Another parent or guardian agreed to pay this. You can pay it instead.')
  expect(family).toContain('we will charge their saved card')
  expect(panel({ isOwedByAnother: true })).toContain('Your parent or guardian agreed to pay this.')
})

const declinedBill = (reason: PaymentFailureReason, cardId: string): Partial<Payment> => ({
  ...{ status: 'failed', card: { brand: 'visa', last4: '4242' }, cardId },
  failure: { reason, message: 'Add the card again, or pay with another card.' },
})
/** Returns for each saved card, in the order of the list, whether it is selected and whether it is marked as declined. */
const cardChoices = (html: string) =>
  html
    .match(/<label.*?<\/label>/g)!
    .filter(label => label.includes('name="card"'))
    .map(label => [label.includes('checked=""'), label.includes('Did not go through')])

test('a declined card that was saved again is selected and can be charged', () => {
  const savedAgain = { ...card, id: 'pm_2', preferred: false }
  const html = panelHtml(declinedBill('incorrect-details', 'pm_1'), { cards: [savedAgain, card] })
  expect(cardChoices(html)).toEqual([
    [true, false],
    [false, true],
  ])
  expect(html).toContain('Pay $15.00')
})

test('a single declined card can be charged again, unless it has expired', () => {
  const bill = declinedBill('insufficient-funds', 'pm_1')
  expect(panel(bill)).toContain('Pay $15.00Paying with your Visa ending in 4242.')
  expect(panel(bill, { cards: [{ ...card, expYear: 2020 }] })).not.toContain('Pay $15.00')
})

test("after the payer confirmed with the bank, the panel waits for the bank's answer", () => {
  const bill = declinedBill('authentication-needed', 'pm_1')
  expect(panel(bill)).toContain('Pay $15.00')
  expect(panel(bill, { address: '/player/folder/f1?session=b1&authenticated=1' })).toContain('Your bank is working on it')
  expect(panel(bill, { address: '/family/money/b2?authenticated=1', back: '/family/money/b1' })).toContain('Pay $15.00')
})
