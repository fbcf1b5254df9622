import { expect, test } from 'vitest'
import { paymentEventSentences } from '../../../modules/payments/event-sentences.ts'

type EventType = keyof typeof paymentEventSentences
const sentenceOf = (type: EventType, data: Record<string, unknown>, owner?: string) => paymentEventSentences[type].audit(data, owner)

test.each<[EventType, string]>([
  ['PaymentAgreed', 'agreed to pay for the feedback'],
  ['AttemptAbandoned', 'A charge that can no longer be paid was abandoned'],
  ['DoubledChargeReturned', 'got the second charge back'],
  ['ShareHeld', "The instructor's share is waiting for a payout account"],
  ['CustomerMade', 'was set up as a customer with the payment provider'],
  ['CardSaved', 'saved a card'],
  ['CardTakenOver', 'took over a card that their child had saved'],
  ['CardHandedOver', 'handed a saved card over to the guardian'],
  ['CardPreferred', 'chose another card'],
  ['CardRemoved', 'removed a card'],
  ['CardHeld', 'cannot remove a card while a folder is being assigned'],
  ['CardReleased', 'can remove that card again'],
  ['PayoutAccountOpened', 'opened a payout account'],
])('%s reads: %s', (type, sentence) => {
  expect(sentenceOf(type, {})).toBe(sentence)
})

test('a refund names the person who gets it, if known', () => {
  const data = { amount: 1900, reason: 'Too late.' }
  expect(sentenceOf('RefundAsked', data, 'Leo Park')).toBe('refunded $19.00 to Leo Park: “Too late.”')
  expect(sentenceOf('RefundAsked', data)).toBe('refunded $19.00: “Too late.”')
  expect(sentenceOf('PackageRefundAsked', data, 'Leo Park')).toBe('refunded $19.00 for a package to Leo Park: “Too late.”')
})

test('a transfer says how much of it paid back a debt', () => {
  expect(sentenceOf('TransferMade', { amount: 1200, netted: 300 })).toBe('The instructor was paid $12.00; $3.00 paid back what they owed')
  expect(sentenceOf('TransferMade', { amount: 1200, netted: 0 })).toBe('The instructor was paid $12.00')
})

test('a waived debt names the instructor, if known', () => {
  const data = { amount: 500, reason: 'Our mistake' }
  expect(sentenceOf('DebtWaived', data, 'Ada Min')).toBe('waived $5.00 that Ada Min owed: “Our mistake”')
  expect(sentenceOf('DebtWaived', data)).toBe('waived $5.00 that the instructor owed: “Our mistake”')
})

test('a spending limit says its amount, or that the guardian approves each session', () => {
  expect(sentenceOf('SpendingLimitSet', { monthly: 6000 }, 'Leo Park')).toBe('allowed Leo Park $60.00 a month without asking')
  expect(sentenceOf('SpendingLimitSet', { monthly: null }, 'Leo Park')).toBe('wants to approve each session of Leo Park')
  expect(sentenceOf('SpendingLimitSet', { monthly: null })).toBe('wants to approve each session of the player')
  expect(sentenceOf('SpendingCounted', { cents: 2500, month: '2026-11' })).toBe('used $25.00 of the limit for 2026-11')
  expect(sentenceOf('SpendingKept', {})).toBe('tried that assignment again, which uses the limit only once')
  expect(sentenceOf('SpendingCorrected', { cents: 1500 })).toBe('used $15.00 of the limit for that session instead')
})
