import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { derivedId, handleCommand, loadState } from '../../../modules/kernel/decider.ts'
import type { Errand } from '../../../modules/kernel/process.ts'
import type { EventStore, RecordedEvent } from '../../../modules/kernel/store.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import type { PurchaseEvent } from '../../../modules/payments/package-purchase.ts'
import { creditsAndPointsDecider, unusedPackageCredits } from '../../../modules/rewards/credits-and-points-decider.ts'
import {
  addPurchasedCredits,
  adjustCreditsToRefunds,
  creditsAndPointsProcess,
  rewardErrandHandlers,
} from '../../../modules/rewards/credits-and-points-process.ts'

const AT = '2026-03-01T12:00:00.000Z'
let store: EventStore
beforeEach(() => {
  store = memoryStore(() => new Date(AT))
})
/** Appends events as other modules would. */
async function happened(stream: string, ...events: { type: string; data: object }[]) {
  for (const event of events) {
    const revision = BigInt((await store.read(stream)).length) - 1n
    await store.append(stream, revision, [{ id: randomUUID(), ...event, meta: { command: randomUUID(), name: 'a.b', actor: 'ana' } }])
  }
}
/** The events that the system wrote to the player's perks stream. */
const storedEvents = async (player = 'ana') =>
  (await store.read(`perks-${player}`)).flatMap(e =>
    e.meta.actor === 'system' ? [{ type: e.type, ...(e.data as object), by: e.meta.command }] : [],
  )
const types = async () => (await storedEvents()).map(({ type }) => type)
const left = async () => unusedPackageCredits(await loadState(store, creditsAndPointsDecider, 'ana'))
const reserve = (assignment: string, terms: object) =>
  handleCommand(
    ...([store, creditsAndPointsDecider, 'ana', 'reserve'] as const),
    { assignment, folder: 'f1', player: 'ana', referral: null, terms: { credit: false, referral: false, points: 0, ...terms } },
    { command: randomUUID(), actor: 'ana' },
  )

test('each event creates its errands with their due times', () => {
  const asked = (type: string, stream: string, data: object) => {
    const e = { id: 'e1', type, stream, data, at: AT } as unknown as RecordedEvent
    return (creditsAndPointsProcess.on as Record<string, (e: RecordedEvent) => Errand>)[type]!(e)
  }
  const id = (kind: string) => derivedId('e1', kind)
  for (const type of ['PackageBought', 'PackageRefundAsked', 'PackageRefundFailed', 'PackageDisputed', 'PackageDisputeClosed'])
    expect(asked(type, 'purchase-b1', {})).toEqual({ id: id('rewards.follow'), kind: 'rewards.follow', payload: { purchase: 'b1' } })
  expect(asked('PaymentSucceeded', 'payment-p1', { player: 'ana' })).toMatchObject({
    kind: 'rewards.earn',
    payload: { player: 'ana', payment: 'p1' },
  })
  for (const type of ['AssignmentWithdrawn', 'AssignmentDeclined'])
    expect(asked(type, 'folder-f1', { assignment: 'a1' })).toMatchObject({
      kind: 'rewards.return',
      payload: { folder: 'f1', assignment: 'a1' },
    })
  const set = { folder: 'f1', assignment: 'a1', player: 'ana' }
  const check = { kind: 'rewards.check', due: '2026-03-01T13:00:00.000Z' }
  expect(asked('TermsReserved', 'perks-ana', { ...set, terms: {} })).toMatchObject({ ...check, payload: { ...set, kept: 0 } })
  expect(asked('TermsKept', 'perks-ana', { ...set, times: 3 })).toMatchObject({ ...check, payload: { ...set, kept: 3 } })
})

describe('a package', () => {
  const bought: PurchaseEvent = {
    type: 'PackageBought',
    data: { player: 'ana', package: 'triple', folders: 3, amount: 4200, session: 'cs', intent: 'pi', charge: 'ch' },
  }
  const of = { player: 'ana' }
  const refundAsked = (refund: string, folders: number, whole: boolean): PurchaseEvent => ({
    type: 'PackageRefundAsked',
    data: { ...of, refund, amount: 1400, folders, whole, reason: 'Moved' },
  })
  const refundFailed = (refund: string): PurchaseEvent => ({ type: 'PackageRefundFailed', data: { ...of, refund, amount: 1400 } })
  const disputed = (dispute: string): PurchaseEvent => ({ type: 'PackageDisputed', data: { ...of, dispute, amount: 4200 } })
  const closed = (dispute: string, outcome: 'won' | 'lost'): PurchaseEvent => ({
    type: 'PackageDisputeClosed',
    data: { ...of, dispute, outcome },
  })
  const say = (...events: PurchaseEvent[]) => happened('purchase-b1', ...events)

  test('adds its credits once when it is bought, and not earlier', async () => {
    expect(await adjustCreditsToRefunds(store, 'b1')).toEqual({})
    expect(await types()).toEqual([])
    await say(bought)
    for (const kind of ['rewards.follow', 'rewards.credit'] as const) await rewardErrandHandlers(store)[kind]({ purchase: 'b1' })
    expect(await storedEvents()).toEqual([{ type: 'CreditsAdded', purchase: 'b1', folders: 3, by: derivedId('b1', 'credit') }])
    expect(await addPurchasedCredits(store, { player: 'ana', purchase: 'b1', folders: 3 })).toBe(3)
    expect(await addPurchasedCredits(store, { player: 'ana', purchase: 'b2', folders: 10 })).toBe(13)
  })

  test('loses credits once for each refund, and regains them if the refund fails', async () => {
    await say(bought, refundAsked('r1', 1, false))
    expect(await adjustCreditsToRefunds(store, 'b1')).toEqual({ r1: 1 })
    await say(refundAsked('r2', 5, false))
    expect(await adjustCreditsToRefunds(store, 'b1')).toEqual({ r1: 1, r2: 2 })
    await say(refundFailed('r1'))
    expect([await adjustCreditsToRefunds(store, 'b1'), await adjustCreditsToRefunds(store, 'b1')]).toEqual([{ r2: 2 }, { r2: 2 }])
    expect(await left()).toBe(1)
    const revoked = (cause: string, folders: number) => ({
      type: 'CreditsRevoked',
      purchase: 'b1',
      cause,
      folders,
      whole: false,
      by: derivedId('b1', 'revoke', cause),
    })
    expect((await storedEvents()).slice(1)).toEqual([
      revoked('r1', 1),
      revoked('r2', 2),
      { type: 'CreditsRestored', purchase: 'b1', cause: 'r1', folders: 1, by: derivedId('b1', 'restore', 'r1') },
    ])
  })

  test('that is fully refunded also loses credits that are returned later', async () => {
    await say(bought)
    await adjustCreditsToRefunds(store, 'b1')
    await reserve('a1', { credit: true, purchase: 'b1' })
    await say(refundAsked('r1', 3, true))
    expect(await adjustCreditsToRefunds(store, 'b1')).toEqual({ r1: 2 })
    await happened('perks-ana', { type: 'TermsReturned', data: { assignment: 'a1' } })
    expect(await left()).toBe(0)
  })

  test('loses its credits during a dispute and regains them if we win it', async () => {
    await say(bought, disputed('d1'))
    expect([await adjustCreditsToRefunds(store, 'b1'), await left()]).toEqual([{ d1: 3 }, 0])
    await say(closed('d1', 'lost'))
    expect([await adjustCreditsToRefunds(store, 'b1'), await left()]).toEqual([{ d1: 3 }, 0])
    await say(closed('d1', 'won'))
    expect([await adjustCreditsToRefunds(store, 'b1'), await left()]).toEqual([{}, 3])
  })

  test('is reconciled again if another event was appended in the meantime', async () => {
    await say(bought, refundAsked('r1', 1, false))
    const { append } = store
    let meanwhile: (() => Promise<unknown>) | undefined = () => say(refundFailed('r1'))
    const busy = {
      ...store,
      append: async (...all: Parameters<typeof append>) => {
        const position = await append(...all)
        const then = meanwhile
        meanwhile = undefined
        await then?.()
        return position
      },
    }
    expect(await adjustCreditsToRefunds(busy, 'b1')).toEqual({})
    expect(await left()).toBe(3)
  })
})

describe('discounts reserved for an assignment', () => {
  const assigned = (assignment: string, player: string) =>
    happened('folder-f1', { type: 'FolderAssigned', data: { assignment, player, instructor: 'casey' } })
  beforeEach(async () => {
    await addPurchasedCredits(store, { player: 'ana', purchase: 'b1', folders: 3 })
    await reserve('a1', { credit: true, purchase: 'b1' })
    await reserve('a2', { credit: true, purchase: 'b1' })
  })
  test('are returned to the player once when the assignment ends, and others are kept', async () => {
    const ends = (assignment: string) => rewardErrandHandlers(store)['rewards.return']({ folder: 'f1', assignment })
    await ends('a1')
    expect(await left()).toBe(1)
    await happened('folder-f1', { type: 'FolderCreated', data: { assignment: 'a1', player: 'cal' } })
    await assigned('a0', 'ben')
    await assigned('a1', 'ana')
    await ends('a1')
    await ends('a1')
    expect((await storedEvents()).slice(1)).toEqual([
      { type: 'TermsReturned', assignment: 'a1', by: derivedId('a1', 'give back', 'ended') },
    ])
    expect(await left()).toBe(2)
  })
  test('are returned after an hour without an assignment, unless there was another try', async () => {
    const check = (assignment: string, kept?: number) =>
      rewardErrandHandlers(store)['rewards.check'](
        { folder: 'f1', assignment, player: 'ana', ...(kept !== undefined && { kept }) },
        { id: `e${kept}` },
      )
    await reserve('a1', { credit: true, purchase: 'b1' })
    await check('a1', 0)
    expect(await left()).toBe(1)
    await check('a1', 1)
    // An errand that was created before attempts were counted has no `kept`.
    await check('a2')
    expect((await storedEvents()).slice(1)).toEqual([
      { type: 'TermsReturned', assignment: 'a1', by: derivedId('e1', 'give back') },
      { type: 'TermsReturned', assignment: 'a2', by: derivedId('eundefined', 'give back') },
    ])
  })
  const checkFirstTry = (id = 'e1') =>
    rewardErrandHandlers(store)['rewards.check']({ folder: 'f1', assignment: 'a1', player: 'ana', kept: 0 }, { id })
  test.each(['FolderAssigned', 'ApprovalRequested'])('stay reserved after %s', async type => {
    await happened(
      'folder-f1',
      { type, data: { assignment: 'a1', player: 'ana' } },
      { type: 'AssignmentDeclined', data: { assignment: 'a0' } },
    )
    await checkFirstTry()
    expect(await left()).toBe(1)
  })
  test.each([
    ['FolderAssigned', 'AssignmentWithdrawn'],
    ['FolderAssigned', 'AssignmentDeclined'],
    ['ApprovalRequested', 'ApprovalDeclined'],
    ['ApprovalRequested', 'ApprovalWithdrawn'],
    ['ApprovalRequested', 'ApprovalLapsed'],
  ])('are returned if a late copy of the request reserved them again after %s and %s', async (beginning, ending) => {
    await happened('folder-f1', { type: beginning, data: { assignment: 'a1', player: 'ana' } })
    await happened('folder-f1', { type: ending, data: { assignment: 'a1' } })
    await rewardErrandHandlers(store)['rewards.return']({ folder: 'f1', assignment: 'a1' })
    await reserve('a1', { credit: true, purchase: 'b1' })
    expect(await left()).toBe(1)
    await checkFirstTry('e2')
    expect(await left()).toBe(2)
  })
})
