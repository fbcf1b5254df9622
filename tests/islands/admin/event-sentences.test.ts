import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { paymentWords } from '../../../modules/payments/words.ts'
import { money } from '../../../modules/words.ts'
import { actorName, eventSentence } from '../../../src/islands/admin/event-sentences.ts'

it('says who did what', () => {
  expect(eventSentence({ type: 'FolderCreated', data: { name: 'Tee work' } })).toBe('created the folder “Tee work”')
  expect(eventSentence({ type: 'PaymentSucceeded', data: { amount: 1900, tip: 250 } })).toBe('charged $19.00, $2.50 of it a tip')
  expect(actorName({ actor: 'system', who: null })).toBe('The system')
})
it('describes an event that has no sentence of its own', () => {
  expect(eventSentence({ type: 'BaseStolen', data: {} })).toBe('recorded: base stolen')
})
it('describes an event whose data is missing', () => {
  for (const type of ['FeedbackGiven', 'VideoAdded', 'FolderAssigned', 'PaymentOpened', 'CreditsAdded']) {
    expect(eventSentence({ type, data: null })).not.toContain('undefined')
  }
})

const samples = readdirSync('tests/events')
  .filter(file => file.endsWith('.json'))
  .flatMap(file => JSON.parse(readFileSync(join('tests/events', file), 'utf8')) as { type: string; data: Record<string, unknown> }[])

it('has a sentence with amount and reason for every sample event', () => {
  const spaced = (text: unknown) => `${text}`.replaceAll(/[-_]/g, ' ')
  for (const { type, data } of samples) {
    const told = eventSentence({ type, data })
    expect([type, told]).toEqual([type, expect.stringMatching(/^(?!recorded:)[a-z]+:? .{3,}/s)])
    const sums = ['amount', 'total'].flatMap(field => (field in data ? [money(data[field] as number)] : []))
    if (data.tip) sums.push(`, ${money(data.tip as number)} of it a tip`)
    // Why one was refunded says the event before it.
    const whys = type === 'PaymentRefunded' ? [] : ['reason', 'code', 'outcome', 'status', 'name'].flatMap(field => data[field] ?? [])
    for (const detail of [...sums, ...whys]) expect([type, spaced(told)]).toEqual([type, expect.stringContaining(spaced(detail))])
  }
})

it('tells what became of the share and of the payout account', () => {
  const refused = (of: string) => eventSentence({ type: 'ShareRefused', data: { of, code: 'balance_insufficient' } })
  expect([refused('transfer'), refused('reversal')]).toEqual([
    'could not pass the share on: balance insufficient',
    'could not take the share back: balance insufficient',
  ])
  const changed = (ready: boolean) => eventSentence({ type: 'PayoutAccountChanged', data: { ready } })
  expect([changed(true), changed(false)]).toEqual(['saw the payout account become ready', 'saw the payout account change'])
  expect(eventSentence({ type: 'PaymentFailed', data: { reason: 'insufficient-funds' } })).toBe('saw the charge fail: insufficient funds')
  expect(eventSentence({ type: 'PaymentAttempted', data: { amount: 1400, tip: 0 } })).toBe('tried to charge $14.00')
})

it('tells a folder whether its money came, with the sum where it is known', () => {
  const told = (type: string, detail: object = {}, who = 'You') => paymentWords[type as 'PaymentFailed'].story!(who, { ...detail })
  expect(told('PaymentFailed', { reason: 'authentication-needed' })).toBe('The bank asked to confirm a payment')
  expect(told('PaymentFailed', { reason: 'declined' })).toBe('A payment did not go through')
  expect([told('PaymentSucceeded', { cents: 1900 }), told('PaymentSucceeded', {}, 'Ana')]).toEqual(['You paid $19.00', 'Paid'])
  expect([told('PaymentRefunded', { cents: 500 }), told('PaymentRefunded')]).toEqual(['Refunded $5.00', 'Refunded'])
})
