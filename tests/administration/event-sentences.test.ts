import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { formatCents } from '../../modules/format-cents-and-counts.ts'
import { paymentEventSentences } from '../../modules/payments/event-sentences.ts'
import { eventSentence } from '../../src/administration/event-sentences.ts'

/** The whole sentence for an event about Leo Park; the actor is the system unless `by` is given. */
function sentence(
  type: string,
  data: unknown,
  by: { actor: string; who: { name: string; role: string } | null } = { actor: 'system', who: null },
) {
  const { subject, rest } = eventSentence({ type, data, ...by, about: { id: 'leo', name: 'Leo Park' } })
  return subject ? `${subject.name} ${rest}` : rest
}
const ada = { actor: 'ada', who: { name: 'Ada Min', role: 'admin' } }

it('an event sentence names the actor, the action and the affected person', () => {
  expect(sentence('FolderCreated', { name: 'Tee work' }, ada)).toBe('Ada Min created the folder “Tee work”')
  expect(sentence('DeletionScheduled', { due: '2026-12-09T03:00:00.000Z', cause: 'closed', reason: 'Threats.' }, ada)).toBe(
    'Ada Min closed the account of Leo Park: “Threats.”',
  )
  expect(sentence('DeletionCanceled', { isReopened: true }, ada)).toBe('Ada Min opened the account of Leo Park again')
  expect(sentence('InstructorSuspended', { reason: 'A parent wrote.' }, ada)).toBe('Ada Min suspended Leo Park: “A parent wrote.”')
  expect(sentence('SupportAnswered', {}, ada)).toBe('Ada Min answered the support request of Leo Park')
  expect(sentence('ConsentGiven', { optional: [] }, ada)).toBe('Ada Min agreed to let Leo Park use the service')
})
it('an event sentence about an automatic action begins with the affected person', () => {
  expect(sentence('CreditsAdded', { folders: 10 })).toBe('Leo Park was given 10 sessions by a package')
  expect(sentence('PaymentSucceeded', { amount: 1900, tip: 250 })).toBe('Leo Park paid $19.00, $2.50 of it a tip')
  expect(sentence('TermsReserved', { terms: { credit: false, referral: true, points: 200 } })).toBe(
    "Leo Park used a friend's discount and 200 points for a session",
  )
  expect(sentence('TransferMade', { amount: 1200 })).toBe('The instructor was paid $12.00')
})
it('an event sentence works for a deleted person and an account without a name', () => {
  const left = eventSentence({ type: 'CreditsAdded', data: { folders: 1 }, actor: 'system', who: null, about: null })
  expect(left).toEqual({ subject: { name: 'Someone who left' }, rest: 'was given 1 session by a package' })
  const closed = { cause: 'closed', due: '2026-12-09T03:00:00.000Z', reason: 'Threats.' }
  expect(eventSentence({ type: 'DeletionScheduled', data: closed, ...ada, about: null }).rest).toBe(
    'closed the account of a person: “Threats.”',
  )
  const unnamed = eventSentence({ type: 'AdminInvited', data: {}, actor: '0190b5c0-0000', who: null, about: null })
  expect(unnamed.subject).toEqual({ name: 'Account 0190b5c0' })
})
it('an event type without a sentence of its own still gets a description', () => {
  expect(sentence('BaseStolen', {})).toBe('DiamondLink recorded: base stolen')
})
it('an event with missing data still gets a description', () => {
  for (const type of ['FeedbackGiven', 'VideoAdded', 'FolderAssigned', 'PaymentOpened', 'CreditsAdded', 'TermsReserved']) {
    expect(sentence(type, null)).not.toContain('undefined')
  }
})

const samples = readdirSync('tests/events')
  .filter(file => file.endsWith('.json'))
  .flatMap(file => JSON.parse(readFileSync(join('tests/events', file), 'utf8')) as { type: string; data: Record<string, unknown> }[])

it('every sample event has a sentence, with its amount and reason', () => {
  const spaced = (text: unknown) => `${text}`.replaceAll(/[-_]/g, ' ')
  for (const { type, data } of samples) {
    const told = sentence(type, data, ada)
    expect([type, told]).toEqual([type, expect.stringMatching(/^(?!.*recorded:)[A-Z$][\w$.]* .{3,}/s)])
    const sums = ['amount', 'total'].flatMap(field => (field in data ? [formatCents(data[field] as number)] : []))
    if (data.tip) sums.push(`, ${formatCents(data.tip as number)} of it a tip`)
    // A refund's reason is in an earlier event, so the sentence of `PaymentRefunded` does not have it.
    const whys = type === 'PaymentRefunded' ? [] : ['reason', 'code', 'outcome', 'status', 'name'].flatMap(field => data[field] ?? [])
    for (const detail of [...sums, ...whys]) expect([type, spaced(told)]).toEqual([type, expect.stringContaining(spaced(detail))])
  }
})

it('event sentences describe what happened to a share and to a payout account', () => {
  const refused = (of: string) => sentence('ShareRefused', { of, code: 'balance_insufficient' })
  expect([refused('transfer'), refused('reversal')]).toEqual([
    "The instructor's share could not be paid: balance insufficient",
    "The instructor's share could not be taken back: balance insufficient",
  ])
  const changed = (ready: boolean) => sentence('PayoutAccountChanged', { ready })
  expect([changed(true), changed(false)]).toEqual([
    'Leo Park has a payout account that is ready',
    'Leo Park has a payout account with missing details',
  ])
  expect(sentence('PaymentFailed', { reason: 'insufficient-funds' })).toBe('The charge failed: insufficient funds')
  expect(sentence('PaymentAttempted', { amount: 1400, tip: 0 })).toBe('A charge of $14.00 was started')
})

it('the history of a folder says whether a payment arrived, and its amount if known', () => {
  const told = (type: string, detail: object = {}, who = 'You') => paymentEventSentences[type as 'PaymentFailed'].story!(who, { ...detail })
  expect(told('PaymentFailed')).toBe('A payment did not go through')
  expect([told('PaymentSucceeded', { cents: 1900 }), told('PaymentSucceeded', {}, 'Ana')]).toEqual(['You paid $19.00', 'Paid'])
  expect([told('PaymentRefunded', { cents: 500 }), told('PaymentRefunded')]).toEqual(['Refunded $5.00', 'Refunded'])
})
