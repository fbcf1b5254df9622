import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { derivedId, handleCommand, loadState } from '../../../modules/kernel/decider.ts'
import { allowanceDecider } from '../../../modules/payments/allowance.ts'
import { paymentErrandHandlers } from '../../../modules/payments/errand-handlers.ts'
import { purchaseDecider } from '../../../modules/payments/package-purchase.ts'
import { payoutAccountAndDebtDecider } from '../../../modules/payments/payout-account-and-debt-decider.ts'
import { blockLastCardRemovalUntil } from '../../../modules/payments/stripe-customer-and-saved-cards.ts'
import { walletDecider } from '../../../modules/payments/wallet.ts'
import { setUpPaymentTestbed, TEST_TIME, testCommandSource, testParties } from './payment-testbed.ts'

const { context, sendCommand } = setUpPaymentTestbed()
/** The players whose payers the handlers have looked up. */
const lookedUpPlayers: string[] = []
const elsewhere = {
  payerOf: async (player: string) => player,
  currentAndFormerPayersOf: async (player: string) => {
    lookedUpPlayers.push(player)
    return [player, 'parent']
  },
  instructorOf: async (account: string) => (account === 'acct_1' ? 'casey' : undefined),
  revokeRefundedFolders: async (of: string): Promise<Record<string, number>> => (of === 'b1' ? { r1: 1 } : {}),
}
type Errands = ReturnType<typeof paymentErrandHandlers>
const perform = <K extends keyof Errands>(kind: K, payload: Parameters<Errands[K]>[0]) =>
  paymentErrandHandlers(context.deps, elsewhere)[kind](payload as never)
const storedEvents = async (stream = 'payment-p1') =>
  (await context.store.read(stream)).flatMap(e =>
    e.meta.actor === 'system' ? [{ type: e.type, ...(e.data as object), by: e.meta.command }] : [],
  )
const calledMethods = () => context.calls.map(([call]) => call)

const delivered = { payment: 'p1', ...testParties, billable: { videos: 2, bytes: 1000, notes: 3 }, terms: null, opened: TEST_TIME }
test('a bill is opened once, at the full price without discounts, and is due in a week', async () => {
  await perform('payment.open', delivered)
  await perform('payment.open', { ...delivered, billable: { videos: 5, bytes: 0, notes: 0 } })
  const items = [
    { label: 'Feedback session', cents: 1500 },
    { label: 'Media Service Fee: 2 videos', cents: 100 },
  ]
  const bill = { ...testParties, items, total: 1600, share: 1200, opened: TEST_TIME, due: '2026-03-08T12:00:00.000Z' }
  expect(await storedEvents()).toEqual([{ type: 'PaymentOpened', ...bill, by: derivedId('p1', 'open') }])
})
test('a bill has the agreed discounts, and names its package and its payer, if any', async () => {
  await perform('payment.open', { ...delivered, terms: { credit: true, purchase: 'b1', referral: false, points: 0, payer: 'parent' } })
  await perform('payment.open', { ...delivered, payment: 'p2', terms: { credit: false, referral: false, points: 100 } })
  const [[covered], [cheaper]] = [await storedEvents(), await storedEvents('payment-p2')]
  expect(covered).toMatchObject({ total: 100, purchase: 'b1', payer: 'parent' })
  expect(cheaper).toMatchObject({ total: 1500 })
  expect(Object.keys(cheaper!)).not.toEqual(expect.arrayContaining([expect.stringMatching(/purchase|payer/)]))
})

test('each kind of errand calls the provider and records the result', async () => {
  await perform('payment.open', delivered)
  await handleCommand(context.store, walletDecider, 'ana', 'begin', { customer: 'cus_1' }, testCommandSource())
  await handleCommand(
    context.store,
    walletDecider,
    'ana',
    'save',
    { card: 'pm_1', brand: 'visa', last4: '4242', expMonth: 1, expYear: 2040 },
    testCommandSource(),
  )
  context.answers = {
    chargesOfPayment: [[]],
    findCharge: [null],
    charge: [{ outcome: 'failed', reason: 'authentication-needed', intent: 'pi_1' }],
  }
  await perform('payment.collect', { payment: 'p1' })
  const attempt = derivedId('p1', 'collect')
  expect([calledMethods(), (await storedEvents()).at(-1)]).toMatchObject([
    ['chargesOfPayment', 'findCharge', 'charge'],
    { type: 'PaymentFailed', attempt },
  ])

  context.answers = { outcomeOfIntent: [{ outcome: 'succeeded', intent: 'pi_1', charge: 'ch_1', amount: 1600 }] }
  await perform('payment.look', { payment: 'p1', attempt, intent: 'pi_1' })
  expect([context.calls.at(-1), (await storedEvents()).at(-1)]).toMatchObject([
    ['outcomeOfIntent', 'pi_1'],
    { type: 'PaymentSucceeded', charge: 'ch_1' },
  ])
  await perform('payment.settle', { payment: 'p1', attempt })

  await perform('payment.share', { payment: 'p1' })
  expect((await storedEvents('payout-casey')).at(-1)).toMatchObject({ type: 'ShareHeld', payment: 'p1' })

  await sendCommand('refund', { refund: 'r1', amount: 100, reason: 'Cut off' })
  context.answers = { findRefund: [{ status: 'succeeded', amount: 100 }] }
  await perform('payment.refund', { payment: 'p1', refund: 'r1' })
  expect((await storedEvents()).at(-1)).toMatchObject({ type: 'PaymentRefunded', refund: 'r1' })

  await sendCommand('succeed', { attempt, intent: 'pi_2', charge: 'ch_2', amount: 1600, at: TEST_TIME })
  await perform('payment.return', { payment: 'p1', charge: 'ch_2', amount: 1600 })
  expect((await storedEvents()).at(-1)).toMatchObject({ type: 'DoubledChargeReturned', charge: 'ch_2' })

  await perform('card.remove', { card: 'pm_1' }).catch(() => {})
  expect(context.calls.at(-1)).toEqual(['removeCard', 'pm_1'])

  await handleCommand(context.store, payoutAccountAndDebtDecider, 'casey', 'open', { account: 'acct_1' }, testCommandSource())
  context.answers = {
    accountStatus: [
      { takesTransfers: true, requirements: [] },
      { takesTransfers: false, requirements: [] },
    ],
  }
  await perform('payout.read', { instructor: 'casey' })
  expect((await storedEvents('payout-casey')).at(-1)).toMatchObject({ type: 'PayoutAccountChanged', ready: true, released: ['p1'] })
  await perform('stripe.notice', { type: 'account.updated', object: 'acct_1' })
  expect((await storedEvents('payout-casey')).at(-1)).toMatchObject({ type: 'PayoutAccountChanged', ready: false })
})

test('an attempt of unknown outcome is completed', async () => {
  await perform('payment.open', delivered)
  const card = { id: 'pm_1', brand: 'visa', last4: '4242' }
  await sendCommand('attempt', { id: 'a1', customer: 'cus_1', card, tip: 0, by: 'player', at: TEST_TIME, total: 1600 })
  context.answers = { findCharge: [{ outcome: 'succeeded', intent: 'pi_1', charge: 'ch_1', amount: 1600 }] }
  await perform('payment.settle', { payment: 'p1', attempt: 'a1' })
  expect((await storedEvents()).at(-1)).toMatchObject({ type: 'PaymentSucceeded', charge: 'ch_1' })
})

test('a requested refund of a package is made', async () => {
  const bought = { player: 'ana', package: 'triple', folders: 3, amount: 4200, session: 'cs_1', intent: 'pi_1', charge: 'ch_1' } as const
  await handleCommand(context.store, purchaseDecider, 'b1', 'complete', bought, testCommandSource())
  await handleCommand(
    context.store,
    purchaseDecider,
    'b1',
    'refund',
    { refund: 'r1', whole: false, unused: 2, cents: 2800, reason: 'Moved' },
    testCommandSource(),
  )
  context.answers = { findRefund: [null], refund: [{ status: 'succeeded', amount: 1400 }] }
  await perform('package.refund', { purchase: 'b1', refund: 'r1' })
  expect(await storedEvents('purchase-b1')).toMatchObject([{ type: 'PackageRefunded', refund: 'r1', amount: 1400 }])
})

/** Counts a session at 2,000 cents toward the limit that a parent set for Ana. */
const countSession = (assignment: string, attempt = 't1') =>
  handleCommand(
    context.store,
    allowanceDecider,
    'ana',
    'count',
    { assignment, folder: 'f1', player: 'ana', attempt, month: '2026-03', cents: 2000, guardian: 'parent', approved: true },
    testCommandSource(),
  )
const centsCounted = async (assignment: string) => (await loadState(context.store, allowanceDecider, 'ana')).spent[assignment]?.cents

test('the cards of an ended assignment are released if the player had agreed to pay', async () => {
  const card = { card: 'pm_1', brand: 'visa', last4: '4242', expMonth: 1, expYear: 2040 }
  for (const owner of ['ana', 'parent']) {
    await handleCommand(context.store, walletDecider, owner, 'save', card, testCommandSource())
    for (const assignment of ['p1', 'p2']) await blockLastCardRemovalUntil(context.store, owner, assignment, TEST_TIME)
  }
  for (const assignment of ['p1', 'p2']) await countSession(assignment)
  const heldFor = async (owner: string) => Object.keys((await loadState(context.store, walletDecider, owner)).held)
  lookedUpPlayers.length = 0
  await perform('card.release', { assignment: 'p1' })
  expect([await heldFor('ana'), await centsCounted('p1'), lookedUpPlayers]).toEqual([['p1', 'p2'], 2000, []])
  await sendCommand('agree', testParties)
  await perform('card.release', { assignment: 'p1' })
  expect([await heldFor('ana'), await heldFor('parent'), lookedUpPlayers]).toEqual([['p2'], ['p2'], ['ana']])
  expect([await centsCounted('p1'), await centsCounted('p2')]).toEqual([0, 2000])
})

test("a bill corrects how much its session counts toward the month's limit", async () => {
  await countSession('p1')
  await perform('allowance.correct', { player: 'ana', assignment: 'p1', cents: 1600 })
  await perform('allowance.correct', { player: 'ana', assignment: 'unknown', cents: 1600 })
  expect([await centsCounted('p1'), await centsCounted('unknown')]).toEqual([1600, undefined])
})

test.each([
  ['took place', ['FolderAssigned'], 2000],
  ['failed', [], 0],
  ['was withdrawn', ['FolderAssigned', 'AssignmentWithdrawn'], 0],
  ['was declined', ['FolderAssigned', 'AssignmentDeclined'], 0],
  ['is only asked about', ['QuestionAsked'], 0],
])('a session whose assignment %s (events: %s) counts %i cents', async (_, types, cents) => {
  await countSession('p1')
  const events = [
    { type: 'FolderCreated', data: { name: 'Tee work' } },
    ...['FolderAssigned', 'AssignmentWithdrawn', 'AssignmentDeclined'].map(type => ({ type, data: { assignment: 'p2' } })),
    ...types.map(type => ({ type, data: { assignment: 'p1' } })),
  ]
  await context.store.append(
    'folder-f1',
    -1n,
    events.map(e => ({ ...e, id: randomUUID(), meta: { ...testCommandSource(), name: 'test' } })),
  )
  await perform('allowance.check', { player: 'ana', folder: 'f1', assignment: 'p1' })
  expect(await centsCounted('p1')).toBe(cents)
})
test('only the check of the last attempt takes an unassigned session off the limit', async () => {
  for (const attempt of ['t1', 't2']) await countSession('p1', attempt)
  const check = (attempt: string) => perform('allowance.check', { player: 'ana', folder: 'f1', assignment: 'p1', attempt })
  await check('t1')
  expect(await centsCounted('p1')).toBe(2000)
  await check('t2')
  expect(await centsCounted('p1')).toBe(0)
})
