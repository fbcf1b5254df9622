import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPlayerInput } from '../api/test-server.ts'
import { DAY_MS, HOUR_MS, type ServerWithMovableClock, startServerWithMovableClock } from './server-with-movable-clock.ts'

let t: ServerWithMovableClock
beforeAll(async () => {
  t = await startServerWithMovableClock('2031-01-15T15:00:00Z')
})
afterAll(() => t.end())

/** Creates a player with a saved card and a newly delivered review. `letters` returns the subjects of their letters about the bill. */
async function unpaidBill() {
  const { email } = newPlayerInput()
  const [player, instructor] = [await t.player({ email }), await t.instructor({ firstName: 'Kim', lastName: 'Lee' })]
  await t.saveCardOf(player)
  const { payment } = await t.createDeliveredFolder(player, instructor)
  const delivered = t.now().getTime()
  return {
    player,
    payment,
    passUntilDay: (days: number, hours = 0) => t.advanceClockTo(new Date(delivered + days * DAY_MS + hours * HOUR_MS)),
    letters: async () => (await t.subjects(email)).filter(subject => subject.includes('$')),
    status: async () => {
      const { body } = await player.call('GET', '/api/billing')
      return body.payments.find((p: { id: string }) => p.id === payment).status
    },
  }
}
const BILL = "$15.50 for Kim Lee's feedback"
const REMINDER = `Payment due: ${BILL}`
const NOTICE = expect.stringMatching(/charge.*\$15\.50|\$15\.50.*charge/i)
const RECEIPT = expect.stringMatching(/^Receipt DL-\S+: \$15\.50$/)

test('an unpaid bill causes reminders after 1 and 3 days and a charge after 7 days', async () => {
  const { payment, letters, passUntilDay, status } = await unpaidBill()
  expect(await letters()).toEqual([BILL])
  await passUntilDay(1, -1)
  expect(await letters()).toEqual([BILL])
  await passUntilDay(1)
  expect(await letters()).toEqual([BILL, REMINDER])
  await passUntilDay(3, -1)
  expect(await letters()).toEqual([BILL, REMINDER])
  await passUntilDay(3)
  expect(await letters()).toEqual([BILL, REMINDER, REMINDER])
  await passUntilDay(6)
  expect(await letters()).toEqual([BILL, REMINDER, REMINDER, NOTICE])
  await passUntilDay(7, -1)
  expect(await status()).toBe('due')
  await passUntilDay(7)
  expect(await status()).toBe('paid')
  const charges = await t.stripe.charges.list({ limit: 100 })
  expect(charges.data.filter(charge => charge.metadata.payment === payment).map(charge => charge.amount)).toEqual([1550])
  await passUntilDay(20)
  expect(await letters()).toEqual([BILL, REMINDER, REMINDER, NOTICE, RECEIPT])
})

test('a bill that is paid after two days gets no further reminder and no charge', async () => {
  const { player, payment, letters, passUntilDay } = await unpaidBill()
  await passUntilDay(2)
  expect(await letters()).toEqual([BILL, REMINDER])
  expect((await player.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total: 1550 })).body.status).toBe('paid')
  await passUntilDay(20)
  expect(await letters()).toEqual([BILL, REMINDER, RECEIPT])
})
