import { describe, expect, test } from 'vitest'
import { PermanentErrandError } from '../../../modules/jobs/outbox.ts'
import type { LetterBill } from '../../../modules/letters/letter-data-source.ts'
import { MailError } from '../../../modules/letters/resend-mailer.ts'
import {
  letterErrandTestbed,
  makeRecipient,
  sampleDeclinedSession,
  sampleLetterBill,
  sampleLetterSession,
  sampleSessionIdForLetterKind,
} from './letter-errand-testbed.ts'

/** A bill that `payer` agreed to pay. If the letter is about a charge, the card of `cardOf` was charged or declined. */
function billWithCardOf(kind: string, { payer, cardOf }: { payer: string; cardOf: string | null }): LetterBill {
  const isPaid = kind === 'receipt' || kind === 'refunded'
  const paid = { amount: 1850, tip: 300, at: '2026-03-05T12:00:00.000Z', number: 'DL-1', cardOf, timeZone: 'America/New_York' }
  const attempts = { a2: { ...sampleLetterBill.attempts.a2!, cardOf } }
  return { ...sampleLetterBill, payer, attempts, paid: isPaid ? paid : null }
}

describe('a letter', () => {
  test.each([
    ['assigned', 'kim'],
    ['declined', 'ana'],
    ['feedback-given', 'ana'],
    ['question', 'kim'],
    ['answer', 'ana'],
    ['session-rated', 'kim'],
    ['rating-answered', 'ana'],
  ])("%s goes to %s, and with different text to a minor's guardian", async (kind, to) => {
    const alone = letterErrandTestbed()
    await alone.run(kind, { folder: 'f1', assignment: sampleSessionIdForLetterKind(kind) })
    expect(alone.sent.map(m => [m.id, m.to])).toEqual([['e1', `${to}@example.com`]])
    const guardian = { id: 'maria', name: 'Maria', email: 'maria@example.com' }
    const minor = letterErrandTestbed({ person: async id => makeRecipient(id, id === 'ana' ? { guardian } : {}) })
    await minor.run(kind, { folder: 'f1', assignment: sampleSessionIdForLetterKind(kind) })
    expect(minor.sent.map(m => [m.id, m.to])).toEqual([
      ['e1', `${to}@example.com`],
      ['e1-guardian', 'maria@example.com'],
    ])
    const [own, theirs] = minor.sent
    expect(theirs!.text).toContain('Hi Maria')
    expect(theirs!.html).toContain(`https://ours.test/family/folder/f1${kind === 'declined' ? '' : '?session=a'}`)
    expect(own!.html).not.toContain('of-maria')
  })
  test.each(['declined', 'feedback-given', 'answer', 'rating-answered'])(
    '%s goes to a minor in the morning, and to the guardian immediately',
    async kind => {
      const minor = { guardian: { id: 'maria', name: 'Maria', email: 'maria@example.com' }, quietUntil: '2026-03-02T13:00:00.000Z' }
      const { sent, scheduled, run } = letterErrandTestbed({ person: async id => makeRecipient(id, id === 'ana' ? minor : {}) })
      await run(kind, { folder: 'f1', assignment: sampleSessionIdForLetterKind(kind) })
      expect(sent.map(m => m.to)).toEqual(['maria@example.com'])
      expect(scheduled).toMatchObject([{ kind: `letter.${kind}`, due: minor.quietUntil }])
      // Even if the clocks of server and database differ, the letter is postponed only once.
      await run(kind, scheduled[0]!.payload)
      expect(sent.map(m => m.to)).toEqual(['maria@example.com', 'ana@example.com'])
      expect(scheduled).toHaveLength(1)
    },
  )
  test.each(['assigned', 'question', 'session-rated'])("%s goes to a minor's instructor at any hour", async kind => {
    const { sent, scheduled, run } = letterErrandTestbed({
      person: async id => makeRecipient(id, id === 'ana' ? { quietUntil: '2026-03-02T13:00:00.000Z' } : {}),
    })
    await run(kind, { folder: 'f1', assignment: sampleSessionIdForLetterKind(kind) })
    expect([sent.map(m => m.to), scheduled]).toEqual([['kim@example.com'], []])
  })
  test.each([
    ['payment-due', { payment: 'y1' }],
    ['package-receipt', { purchase: 'b1' }],
    ['support-answered', { request: 'q1' }],
  ])('%s to a minor waits until morning', async (kind, payload) => {
    const { sent, scheduled, run } = letterErrandTestbed({
      person: async id => makeRecipient(id, { quietUntil: '2026-03-02T13:00:00.000Z' }),
    })
    await run(kind, payload)
    expect([sent, scheduled.length]).toEqual([[], 1])
  })
  test('is still sent to one recipient if the address of the other is refused', async () => {
    const guardian = { id: 'maria', name: 'Maria', email: 'maria@example.com' }
    for (const [refusing, other] of [
      ['kim@example.com', 'maria@example.com'],
      ['maria@example.com', 'kim@example.com'],
    ]) {
      const { sent, run } = letterErrandTestbed({ person: async id => makeRecipient(id, id === 'ana' ? { guardian } : {}) }, ({ to }) => {
        if (to === refusing) throw new MailError('no such address', { temporary: false, code: 'validation_error' })
      })
      await expect(run('assigned', { folder: 'f1', assignment: 'a' })).rejects.toBeInstanceOf(PermanentErrandError)
      expect(sent.map(m => m.to)).toEqual([other])
    }
  })
  test('is retried for one recipient even if it can never reach the other', async () => {
    const guardian = { id: 'maria', name: 'Maria', email: 'maria@example.com' }
    const { run } = letterErrandTestbed({ person: async id => makeRecipient(id, id === 'ana' ? { guardian } : {}) }, ({ to }) => {
      throw new MailError('not now', { temporary: to === guardian.email, code: 'x' })
    })
    await expect(run('assigned', { folder: 'f1', assignment: 'a' })).rejects.toBeInstanceOf(MailError)
  })
  test.each(['payment-due', 'payment-reminder', 'charge-coming'])('%s is not sent if the bill has been paid', async kind => {
    const unpaid = letterErrandTestbed()
    await unpaid.run(kind, { payment: 'y1' })
    expect(unpaid.sent.map(m => m.to)).toEqual(['ana@example.com'])
    const paid = letterErrandTestbed({ bill: async () => ({ ...sampleLetterBill, settled: true }) })
    await paid.run(kind, { payment: 'y1' })
    expect(paid.sent).toEqual([])
  })
  test.each<[string, object, RegExp]>([
    ['payment-due', {}, /\$15\.50 for ana's feedback from kim Lee/],
    ['payment-reminder', {}, /Payment due: \$15\.50 for ana's feedback/],
    ['charge-coming', {}, /On Sunday, March 8 we will charge \$15\.50 for ana's feedback/],
    ['payment-failed', { attempt: 'a2', reason: 'declined' }, /The payment of \$15\.50 for ana did not go through/],
    ['receipt', {}, /Receipt DL-1: \$18\.50 for ana/],
    ['refunded', { refund: 'r1' }, /\$5\.00 is on its way back to you/],
  ])('%s of a minor goes to the guardian who pays, with a link that signs in', async (kind, more, subject) => {
    const { sent, run } = letterErrandTestbed({ bill: async () => billWithCardOf(kind, { payer: 'maria', cardOf: 'maria' }) })
    await run(kind, { payment: 'y1', ...more })
    expect(sent.map(m => [m.to, m.subject])).toEqual([['maria@example.com', expect.stringMatching(subject)]])
    expect(sent[0]!.html).toContain('https://ours.test/family/money/y1?token=of-maria')
  })
  test.each([
    ['payment-failed', { attempt: 'a2', reason: 'declined' }],
    ['receipt', {}],
    ['refunded', { refund: 'r1' }],
  ])('%s goes only to the owner of the card, whoever agreed to pay', async (kind, more) => {
    for (const [payer, cardOf, to] of [
      ['rosa', 'maria', 'maria@example.com'],
      ['rosa', null, 'ana@example.com'],
    ] as const) {
      const { sent, run } = letterErrandTestbed({
        bill: async () => billWithCardOf(kind, { payer, cardOf }),
        guardian: async id => ({ name: id, email: `${id}@example.com` }),
      })
      await run(kind, { payment: 'y1', ...more })
      expect(sent.map(m => m.to)).toEqual([to])
    }
  })
  test.each(['package-receipt', 'package-refunded'])('%s goes to the guardian who bought the package', async kind => {
    const bought = await letterErrandTestbed().facts.packagePurchase('u1')
    const { sent, run } = letterErrandTestbed({ packagePurchase: async () => ({ ...bought!, payer: 'maria' }) })
    await run(kind, { purchase: 'u1', refund: 'r1' })
    expect(sent.map(m => m.to)).toEqual(['maria@example.com'])
    expect(sent[0]!.html).toContain('/family/money/u1?token=of-maria')
  })
  test('asks the guardian to approve, with price, limit and checks, unless answered', async () => {
    const { sent, run } = letterErrandTestbed()
    await run('approval-asked', { folder: 'f1', assignment: 's1' })
    expect(sent.map(m => [m.to, m.subject])).toEqual([['maria@example.com', 'ana wants a session with kim Lee: $15.50']])
    expect(sent[0]!.text).toMatch(
      /Checked by DiamondLink: identity, May 2026[\s\S]*Am I late\?[\s\S]*never more than \$25\.00[\s\S]*we\s+will\s+charge\s+your\s+saved\s+card/,
    )
    expect(sent[0]!.html).toContain('/family/money/s1?token=of-maria')
    const answered = letterErrandTestbed({ approvalRequest: async () => null })
    await answered.run('approval-asked', { folder: 'f1', assignment: 's1' })
    expect(answered.sent).toEqual([])
  })
  test('has dates in the time zone of its recipient', async () => {
    const dueIn = async (timeZone: string) => {
      const { sent, run } = letterErrandTestbed({ bill: async () => ({ ...sampleLetterBill, due: '2026-03-08T06:00:00.000Z', timeZone }) })
      await run('payment-reminder', { payment: 's1' })
      return sent[0]!.text
    }
    expect(await dueIn('America/New_York')).toContain('on Sunday, March 8')
    expect(await dueIn('Pacific/Honolulu')).toContain('on Saturday, March 7')
  })
  const guardian = { id: 'maria', name: 'Maria', email: 'maria@example.com' }
  /** Creates a testbed in which Maria looks after ana, and `payer` agreed to pay for the session. */
  const paidBy = (payer: string, more: Partial<LetterBill> = {}) =>
    letterErrandTestbed({
      person: async id => makeRecipient(id, id === 'ana' ? { guardian } : {}),
      session: async () => ({ ...sampleLetterSession, cost: { payer, total: 1550, atMost: 2500, withinLimit: true } }),
      bill: async () => ({ ...sampleLetterBill, payer, ...more }),
      guardian: async id => ({ name: id, email: `${id}@example.com` }),
    })
  test('to a guardian who pays for a session has both message and price', async () => {
    const { sent, run } = paidBy('maria')
    await run('assigned', { folder: 'f1', assignment: 'a' })
    const [, theirs] = sent
    expect([sent.length, theirs!.to]).toEqual([2, 'maria@example.com'])
    expect(theirs!.text).toMatch(/Am I late\?[\s\S]*\$15\.50, within the monthly limit[\s\S]*never more than \$25\.00/)
    const other = paidBy('rosa')
    await other.run('assigned', { folder: 'f1', assignment: 'a' })
    expect(other.sent[1]!.text).not.toContain('$')
  })
  test('to a guardian who pays for feedback has both review and bill', async () => {
    for (const settled of [false, true]) {
      const { sent, run } = paidBy('maria', { settled })
      await run('feedback-given', { folder: 'f1', assignment: 'a' })
      await run('payment-due', { payment: 'a' })
      expect(sent.map(m => m.to)).toEqual(['ana@example.com', 'maria@example.com'])
      expect(sent[1]!.text).toContain('Let it travel.')
      expect(sent[1]!.html).toContain('https://ours.test/family/folder/f1?session=a')
      expect(sent[1]!.text.includes('$15.50')).toBe(!settled)
    }
  })
  test('to a former guardian who still pays has the bill but not the review', async () => {
    const { sent, run } = paidBy('rosa')
    await run('feedback-given', { folder: 'f1', assignment: 'a' })
    await run('payment-due', { payment: 'a' })
    expect(sent.map(m => m.to)).toEqual(['ana@example.com', 'maria@example.com', 'rosa@example.com'])
    expect([sent[1]!.text.includes('$'), sent[2]!.text.includes('Let it travel.')]).toEqual([false, false])
    expect(sent[2]!.html).toContain('/family/money/a?token=of-rosa')
  })
  test('about a returned folder does not claim that the instructor declined', async () => {
    const back = { ...sampleDeclinedSession, cause: 'consent-withdrawn' as const }
    const { sent, run } = letterErrandTestbed({
      person: async id => makeRecipient(id, id === 'ana' ? { guardian } : {}),
      session: async () => back,
    })
    await run('declined', { folder: 'f1', assignment: 'declined' })
    expect(sent.map(m => [m.to, m.subject])).toEqual([['ana@example.com', 'Your folder came back from kim Lee']])
    expect(sent[0]!.text).toContain('Your parent or guardian has withdrawn their consent')
  })
  test('about a failed payment has the reason, and is not sent after another attempt', async () => {
    const { sent, run } = letterErrandTestbed()
    await run('payment-failed', { payment: 'y1', attempt: 'a1', reason: 'declined' })
    expect(sent).toEqual([])
    await run('payment-failed', { payment: 'y1', attempt: 'a2', reason: 'expired-card' })
    expect(sent[0]!.text).toContain('This card has expired.')
  })
  test('about a refund has the amount and the reason', async () => {
    const { sent, run } = letterErrandTestbed()
    await run('refunded', { payment: 'y1', refund: 'r1' })
    expect(sent[0]!.text).toMatch(/\$5\.00[\s\S]*Wrong folder/)
  })
  test('about a waiting share has its amount and total, and is not sent once transferred', async () => {
    const { sent, run } = letterErrandTestbed()
    await run('share-held', { payment: 'y1' })
    expect(sent.map(m => [m.id, m.to, m.subject])).toEqual([['e1', 'kim@example.com', 'Set up payouts to receive $27.00']])
    expect(sent[0]!.text).toMatch(/Your share is \$12\.00/)
    const gone = letterErrandTestbed({ heldShare: async () => null })
    await gone.run('share-held', { payment: 'y1' })
    expect(gone.sent).toEqual([])
  })
  test.each([
    ['payment-reminder', { payment: 'y1' }],
    ['share-held', { payment: 'y1' }],
  ])('%s can be turned off in the mail program or by a link', async (kind, payload) => {
    const { sent, run } = letterErrandTestbed()
    await run(kind, payload)
    expect(sent[0]!.headers).toEqual({
      'List-Unsubscribe': '<https://ours.test/api/unsubscribe/off-switch>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    expect(sent[0]!.html).toContain('https://ours.test/unsubscribe?token=off-switch')
    const off = letterErrandTestbed({ preferences: async () => ({ token: 'off-switch', reminders: false }) })
    await off.run(kind, payload)
    await off.run('payment-due', payload)
    expect(off.sent.map(m => [m.subject.includes('$15.50'), m.headers])).toEqual([[true, undefined]])
  })
  test('about an answered support request has the request and the answer', async () => {
    const { sent, run } = letterErrandTestbed()
    await run('support-answered', { request: 'q1' })
    expect(sent[0]!.text).toMatch(/It stops\.[\s\S]*Fixed\./)
  })
  test('is not sent to a deleted person or about deleted data', async () => {
    const nobody = letterErrandTestbed({ person: async () => null })
    const nothing = letterErrandTestbed({ session: async () => null, bill: async () => null, supportRequest: async () => null })
    for (const { run, sent } of [nobody, nothing]) {
      await run('assigned', { folder: 'f1', assignment: 'a' })
      await run('receipt', { payment: 'y1' })
      await run('support-answered', { request: 'q1' })
      expect(sent).toEqual([])
    }
  })
  test('that cannot be sent now is retried; one that can never be sent is not', async () => {
    const later = letterErrandTestbed({}, () => {
      throw new MailError('busy', { temporary: true, code: 'rate_limit_exceeded' })
    })
    await expect(later.run('assigned', { folder: 'f1', assignment: 'a' })).rejects.toBeInstanceOf(MailError)
    const never = letterErrandTestbed({}, () => {
      throw new MailError('no such address', { temporary: false, code: 'validation_error' })
    })
    await expect(never.run('assigned', { folder: 'f1', assignment: 'a' })).rejects.toBeInstanceOf(PermanentErrandError)
  })
})

describe('a letter about a package', () => {
  test('goes to its player with the receipt, and again at each refund', async () => {
    const { sent, run } = letterErrandTestbed()
    await run('package-receipt', { purchase: 'b1' })
    await run('package-refunded', { purchase: 'b1', refund: 'r1' })
    await run('package-refunded', { purchase: 'b1', refund: 'r9' })
    expect(sent.map(m => [m.to, m.subject])).toEqual([
      ['ana@example.com', 'Receipt DL-1: $42.00'],
      ['ana@example.com', '$14.00 is on its way back to you'],
    ])
    expect(sent[1]!.text).toContain('you have 2 sessions left')
    const gone = letterErrandTestbed({ packagePurchase: async () => null })
    await gone.run('package-receipt', { purchase: 'b1' })
    expect(gone.sent).toEqual([])
  })
})

test('the letter to a guardian about the 18th birthday signs them in', async () => {
  const guardian = { id: 'maria', name: 'Maria', email: 'maria@example.com' }
  const { sent, run } = letterErrandTestbed({ person: async id => makeRecipient(id, { guardian }) })
  await run('coming-of-age', { user: 'ana', day: '2026-12-09' })
  expect(sent.find(letter => letter.to === guardian.email)!.html).toContain('/family?token=of-maria')
})
