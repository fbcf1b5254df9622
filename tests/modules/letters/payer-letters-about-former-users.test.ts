import { expect, test } from 'vitest'
import { letterErrandTestbed, makeRecipient, sampleLetterBill } from './letter-errand-testbed.ts'

/** A paid bill, or one that nobody has paid, whose payments are those of `payer`: a guardian, or the player (null). */
const billOf = (payer: string | null, isPaid: boolean) => ({
  ...sampleLetterBill,
  payer,
  attempts: { a2: { ...sampleLetterBill.attempts.a2!, cardOf: payer } },
  paid: isPaid
    ? { amount: 1850, tip: 300, at: '2026-03-05T12:00:00.000Z', number: 'DL-1', cardOf: payer, timeZone: 'America/New_York' }
    : null,
})
const without = (deleted: string) => async (id: string) => (id === deleted ? null : makeRecipient(id))
const MONEY_LETTERS = [
  ['payment-failed', { attempt: 'a2', reason: 'declined' }, false],
  ['receipt', {}, true],
  ['refunded', { refund: 'r1' }, true],
] as const

test.each(MONEY_LETTERS)('%s arrives even if the instructor has deleted the account', async (kind, more, isPaid) => {
  for (const [payer, to] of [
    [null, 'ana@example.com'],
    ['maria', 'maria@example.com'],
  ] as const) {
    const { sent, run } = letterErrandTestbed({ person: without('kim'), bill: async () => billOf(payer, isPaid) })
    await run(kind, { payment: 'y1', ...more })
    expect(sent.map(m => m.to)).toEqual([to])
    if (kind === 'receipt') expect(sent[0]!.text).toContain('Feedback by a former instructor on "Swings"')
    if (kind === 'refunded') expect(sent[0]!.text).toMatch(/The\s+reason:[\s\S]*Wrong folder/)
  }
})

test.each(MONEY_LETTERS)("%s reaches the guardian even if the child's account was deleted", async (kind, more, isPaid) => {
  const { sent, run } = letterErrandTestbed({ person: without('ana'), bill: async () => billOf('maria', isPaid) })
  await run(kind, { payment: 'y1', ...more })
  expect(sent.map(m => m.to)).toEqual(['maria@example.com'])
  expect(sent[0]!.text).toContain('a former player')
  // The names and texts of a deleted player are gone.
  expect(sent[0]!.text).toContain('a deleted folder')
  expect(sent[0]!.text).not.toMatch(/Swings|Wrong folder/)
})

test('letters about money are not sent to a player whose account was deleted', async () => {
  const asked: string[] = []
  const { sent, run } = letterErrandTestbed({
    person: without('ana'),
    bill: async () => billOf(null, true),
    preferences: async id => {
      asked.push(id)
      return { token: 'off-switch', reminders: true }
    },
  })
  for (const [kind, more] of MONEY_LETTERS) await run(kind, { payment: 'y1', ...more })
  await run('payment-reminder', { payment: 'y1' })
  await run('payment-due', { payment: 'y1' })
  await run('package-refunded', { purchase: 'u1', refund: 'r1' })
  expect([sent, asked]).toEqual([[], []])
})

test.each(['package-receipt', 'package-refunded'])("%s reaches the guardian even if the child's account was deleted", async kind => {
  const bought = await letterErrandTestbed().facts.packagePurchase('u1')
  const { sent, run } = letterErrandTestbed({ person: without('ana'), packagePurchase: async () => ({ ...bought!, payer: 'maria' }) })
  await run(kind, { purchase: 'u1', refund: 'r1' })
  expect(sent.map(m => m.to)).toEqual(['maria@example.com'])
  expect(sent[0]!.text).toContain('a former player')
  expect(sent[0]!.text).not.toContain('Moved away')
})
