import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { handleCommand } from '../../modules/kernel/decider.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { allowanceDecider } from '../../modules/payments/allowance.ts'
import { walletDecider } from '../../modules/payments/wallet.ts'
import { creditsAndPointsDecider } from '../../modules/rewards/credits-and-points-decider.ts'
import { countTowardMonthlyLimit, nextPriceTerms, reserveForAssignment } from '../../src/api/assignment-payment-reservation.ts'

const NOW = new Date('2026-06-01T12:00:00.000Z')
let store: ReturnType<typeof memoryStore>
let referrer: string | null
let failedOrOverduePayments: { state: string }[]
/** A fake database that answers only two queries: the player's referrer, and the player's failed and overdue payments. */
const sql = (async (query: unknown) =>
  String(query).includes('referral_codes') ? (referrer ? [{ referrer }] : []) : failedOrOverduePayments) as never
beforeEach(async () => {
  ;[store, referrer, failedOrOverduePayments] = [memoryStore(), null, []]
  await saveCard('ana')
})

const saveCard = (payer: string, expYear = 2040) =>
  handleCommand(store, walletDecider, payer, 'save', { card: `pm_${payer}`, brand: 'visa', last4: '4242', expMonth: 12, expYear }, system())
const system = () => ({ command: randomUUID(), actor: 'system' })
const earned = (points: number) =>
  handleCommand(store, creditsAndPointsDecider, 'ana', 'earn', { payment: randomUUID(), friend: 'ben', points }, system())
const bought = (purchase: string) => handleCommand(store, creditsAndPointsDecider, 'ana', 'credit', { purchase, folders: 1 }, system())
const FULL = { total: 1550, atMost: 2500 }
const reserve = (more: Partial<Parameters<typeof reserveForAssignment>[1]> = {}, by = { command: randomUUID(), actor: 'ana' }) =>
  reserveForAssignment(
    { sql, store, clock: () => NOW },
    {
      assignment: 'a1',
      folder: 'f1',
      player: 'ana',
      payer: { id: 'ana', isGuardian: false },
      instructor: 'cal',
      videos: [{ bytes: 9 }],
      seen: FULL,
      ...more,
    },
    by,
  )
const events = async (stream: string) => (await store.read(stream)).map(({ type, data }) => ({ type, data }))
const last = async (stream: string) => (await events(stream)).at(-1)

test('an assignment holds the card for ten minutes and reserves id and discounts', async () => {
  await earned(200)
  referrer = 'dee'
  const terms = { credit: false, referral: true, points: 200 }
  expect(await nextPriceTerms({ sql, store }, 'ana')).toEqual(terms)
  const seen = { total: 1200, atMost: 2150 }
  const agreed = await reserve({ seen })
  expect(agreed).toMatchObject({ terms: { ...terms, atMost: 2150 }, quote: seen })
  expect(await last('wallet-ana')).toEqual({ type: 'CardHeld', data: { assignment: 'a1', until: '2026-06-01T12:10:00.000Z' } })
  expect(await events('payment-a1')).toEqual([{ type: 'PaymentAgreed', data: { folder: 'f1', player: 'ana', instructor: 'cal' } }])
  expect(await last('perks-ana')).toEqual({
    type: 'TermsReserved',
    data: { assignment: 'a1', folder: 'f1', player: 'ana', referrer: 'dee', terms },
  })
  // A second command for the same assignment gets the same reservation; for the next assignment, no discounts are left.
  expect(await reserve({ seen })).toEqual({ ...agreed, giveBack: expect.any(Function) })
  expect(await nextPriceTerms({ sql, store }, 'ana')).toEqual({ credit: false, referral: false, points: 0 })
  expect((await reserve({ assignment: 'a2', folder: 'f2' })).terms).toMatchObject({ points: 0, referral: false })
})

test('repeating an assignment does each step once, and renews the reservation', async () => {
  await bought('p1')
  const by = { command: randomUUID(), actor: 'ana' }
  const seen = { total: 50, atMost: 1000 }
  const [one, two] = [await reserve({ seen }, by), await reserve({ seen }, by)]
  expect(two).toEqual({ ...one, giveBack: expect.any(Function) })
  expect(one.terms).toEqual({ credit: true, purchase: 'p1', referral: false, points: 0, atMost: 1000 })
  const [agreed] = await store.read('payment-a1')
  const [, ...reserved] = await store.read('perks-ana')
  expect([agreed!, ...reserved].map(e => [e.type, e.meta.actor, e.meta.name])).toEqual([
    ['PaymentAgreed', 'ana', 'payment.agree'],
    ['TermsReserved', 'ana', 'perks.reserve'],
    ['TermsKept', 'ana', 'perks.reserve'],
  ])
  expect(new Set([by.command, ...[agreed!, ...reserved].map(e => e.meta.command)]).size).toBe(4)
  expect(await events('payment-a1')).toHaveLength(1)
  // An attempt gives back only what it reserved itself, and only if no other attempt still needs it.
  await one.giveBack()
  await two.giveBack()
  expect(await last('perks-ana')).toMatchObject({ type: 'TermsKept' })
  const other = await reserve({ assignment: 'a2', folder: 'f2' })
  await other.giveBack()
  expect((await nextPriceTerms({ sql, store }, 'ana')).credit).toBe(false)
})

test('an attempt does not give back what a later attempt reserved', async () => {
  const seen = { total: 50, atMost: 1000 }
  const beforePurchase = await reserve()
  await bought('p1')
  const [, second] = [await reserve({ seen }), await reserve({ seen })]
  await beforePurchase.giveBack()
  expect(await last('perks-ana')).toMatchObject({ type: 'TermsKept' })
  // The reservation expires, and a third attempt reserves again.
  await handleCommand(store, creditsAndPointsDecider, 'ana', 'giveBack', { assignment: 'a1' }, system())
  const third = await reserve({ seen })
  await beforePurchase.giveBack()
  await second.giveBack()
  expect(await last('perks-ana')).toMatchObject({ type: 'TermsReserved' })
  await third.giveBack()
  expect(await last('perks-ana')).toMatchObject({ type: 'TermsReturned' })
})

describe("a minor's assignment", () => {
  const MONTHLY_LIMIT = 5000
  const limit = () => handleCommand(store, allowanceDecider, 'leo', 'limit', { guardian: 'maria', monthly: MONTHLY_LIMIT }, system())
  const payer = { id: 'maria', isGuardian: true }
  const reserveForMinor = (more: object = {}) => reserve({ player: 'leo', payer, ...more }, { command: randomUUID(), actor: 'leo' })
  const COUNTED = { assignment: 'a1', folder: 'f1', player: 'leo', month: '2026-06', cents: FULL.atMost }

  test("within the limit holds the guardian's card and counts toward the limit", async () => {
    await Promise.all([saveCard('maria'), limit()])
    const { needsApproval, terms, giveBack } = await reserveForMinor()
    expect([needsApproval, terms]).toEqual([false, { credit: false, referral: false, points: 0, atMost: FULL.atMost, payer: 'maria' }])
    expect(await last('wallet-maria')).toMatchObject({ type: 'CardHeld', data: { assignment: 'a1' } })
    expect(await last('allowance-leo')).toEqual({
      type: 'SpendingCounted',
      data: { ...COUNTED, guardian: 'maria', attempt: expect.any(String) },
    })
    expect((await store.read('allowance-leo')).at(-1)!.meta.actor).toBe('leo')
    await giveBack()
    expect(await last('allowance-leo')).toEqual({ type: 'SpendingCorrected', data: { assignment: 'a1', cents: 0 } })
  })

  test.each([
    ['above the limit', 2040, false],
    ['without a card of the guardian', null, true],
    ['with an expired card of the guardian', 2025, true],
  ])('%s waits for approval, holds no card and uses no allowance', async (_, expYear, hasLimit) => {
    if (expYear) await saveCard('maria', expYear)
    if (hasLimit) await limit()
    const before = [await events('wallet-maria'), await events('allowance-leo')]
    const { needsApproval, terms, giveBack } = await reserveForMinor()
    expect([needsApproval, terms]).toEqual([true, { credit: false, referral: false, points: 0, atMost: FULL.atMost }])
    await giveBack()
    expect([await events('wallet-maria'), await events('allowance-leo')]).toEqual(before)
    expect(await events('payment-a1')).toHaveLength(1)
  })

  test('fails if the limit cannot be read, instead of waiting for approval', async () => {
    await Promise.all([saveCard('maria'), limit()])
    const { read } = store
    store.read = stream => (stream === 'allowance-leo' ? Promise.reject(new Error('gone')) : read(stream))
    await expect(reserveForMinor()).rejects.toThrow('gone')
  })

  test('is refused while a payment has failed, with a sentence for the minor', async () => {
    failedOrOverduePayments = [{ state: 'failed' }]
    const message = 'A payment failed. Ask your parent or guardian to settle it first, then assign this folder.'
    await expect(reserveForMinor()).rejects.toMatchObject({ code: 'unsettled', message })
  })
})

test("an approved session counts as the guardian's decision, even above the limit", async () => {
  const spending = { assignment: 'a1', folder: 'f1', player: 'leo', attempt: 't1', guardian: 'maria', cents: 2500 }
  await expect(countTowardMonthlyLimit({ store, clock: () => NOW }, { ...spending, approved: false })).rejects.toMatchObject({
    code: 'approval-needed',
  })
  await countTowardMonthlyLimit({ store, clock: () => NOW }, { ...spending, approved: true })
  expect((await store.read('allowance-leo')).map(e => [e.type, e.meta.actor])).toEqual([['SpendingCounted', 'maria']])
})

test.each([
  ['failed', 'unsettled', 'A payment failed. Settle it first, then assign this folder.'],
  ['overdue', 'overdue', 'A payment is overdue. Settle it first, then assign this folder.'],
])('a player whose payment is %s must settle it before assigning', async (state, code, message) => {
  failedOrOverduePayments = [{ state }]
  await expect(reserve()).rejects.toMatchObject({ code, message })
  expect([await last('wallet-ana'), await events('payment-a1')]).toEqual([expect.objectContaining({ type: 'CardSaved' }), []])
})

test.each([
  ['without a card', { player: 'ben', payer: { id: 'ben', isGuardian: false } }, 'card-needed'],
  ['at another price', { seen: { ...FULL, total: 1549 } }, 'price-changed'],
  ['with another limit', { seen: { ...FULL, atMost: 2501 } }, 'price-changed'],
])('an assignment %s is refused and reserves nothing', async (_, more, code) => {
  await expect(reserve(more)).rejects.toMatchObject({ code })
  expect([await last('wallet-ana'), await events('payment-a1')]).toEqual([expect.objectContaining({ type: 'CardSaved' }), []])
})

test('an assignment id of another folder is refused and reserves nothing', async () => {
  await bought('p1')
  const seen = { total: 50, atMost: 1000 }
  await reserve({ seen })
  await expect(reserve({ seen, folder: 'f2' })).rejects.toMatchObject({ code: 'assigned-before' })
  expect(await events('perks-ana')).toHaveLength(2)
})
