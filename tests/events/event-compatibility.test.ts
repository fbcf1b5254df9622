import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { adminInvitationDecider } from '../../modules/accounts/admin-invitation-decider.ts'
import { consentDecider } from '../../modules/consent/consent.ts'
import { currentSession, folderDecider, folderStatusOf } from '../../modules/folders/folder.ts'
import { type Decider, fold } from '../../modules/kernel/decider.ts'
import type { Errand } from '../../modules/kernel/process.ts'
import type { RecordedEvent } from '../../modules/kernel/store.ts'
import { modelLibraryDecider } from '../../modules/model-clips/model-library.ts'
import { allowanceDecider } from '../../modules/payments/allowance.ts'
import { purchaseDecider } from '../../modules/payments/package-purchase.ts'
import { currentShareCentsOf, paymentDecider, refundedOrPendingCents } from '../../modules/payments/payment.ts'
import { debtCentsOfPayoutState, payoutAccountAndDebtDecider } from '../../modules/payments/payout-account-and-debt-decider.ts'
import { walletDecider } from '../../modules/payments/wallet.ts'
import { accountDecider } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { ratingDecider } from '../../modules/ratings/rating.ts'
import { Voice } from '../../modules/reviews/contract.ts'
import { creditsAndPointsDecider } from '../../modules/rewards/credits-and-points-decider.ts'
import { supportRequestDecider } from '../../modules/support/support-request.ts'
import { vettingDecider } from '../../modules/vetting/vetting.ts'
import { processes, projections } from '../../src/server/module-registry.ts'
import { projectedRowsOf } from '../projections/project-events-in-memory.ts'

// biome-ignore lint/suspicious/noExplicitAny: a list of deciders over different events
const deciders: Decider<any, any>[] = [
  folderDecider,
  paymentDecider,
  walletDecider,
  allowanceDecider,
  payoutAccountAndDebtDecider,
  purchaseDecider,
  creditsAndPointsDecider,
  supportRequestDecider,
  adminInvitationDecider,
  vettingDecider,
  accountDecider,
  consentDecider,
  ratingDecider,
  modelLibraryDecider,
]

/**
 * Events as past releases wrote them, with one file per type; together, the files contain complete streams. Samples are added but never
 * edited, except that a sample may gain a new optional field.
 */
const log: RecordedEvent[] = readdirSync(import.meta.dirname)
  .filter(file => file.endsWith('.json'))
  .flatMap(file => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as (RecordedEvent & { revision: string })[])
  .sort((a, b) => (a.stream === b.stream ? Number(a.revision) - Number(b.revision) : a.stream < b.stream ? -1 : 1))
  .map((e, i) => ({ ...e, position: BigInt(i), revision: BigInt(e.revision) }))
const streams = Map.groupBy(log, e => e.stream)

test('every event type has a sample, and every sample has an existing type', () => {
  const types = new Set(deciders.flatMap(d => Object.keys(d.evolve)))
  expect(new Set(log.map(e => e.type))).toEqual(types)
})

test("today's code reads every sample event, and each one changes the state", () => {
  for (const [stream, events] of streams) {
    const decider = deciders.find(d => stream.startsWith(`${d.stream}-`))!
    expect(events.map(e => e.revision)).toEqual(events.map((_, i) => BigInt(i)))
    events.forEach((e, i) => {
      const before = fold(decider, events.slice(0, i))
      expect([e.type, fold(decider, events.slice(0, i + 1))]).not.toEqual([e.type, before])
    })
  }
})

test('the folder events of an earlier version are read into the right state', () => {
  const state = fold(folderDecider, [...streams].find(([stream]) => stream.startsWith('folder-'))![1])
  expect(folderStatusOf(state)).toBe('paid')
  expect(state).toMatchObject({
    ...{ name: 'Front toss, May', archived: false, videos: [{ name: 'swing-2.mov', milliseconds: 6433 }] },
  })
  expect(state.sessions).toHaveLength(3)
  expect(currentSession(state)).toMatchObject({
    ...{ question: 'Should I keep the leg kick?', answer: 'Keep it.', review: { grades: [{ skill: 'hitting', grade: 45 }] } },
  })
})

test("a folder's state contains the goals of its review, and the frame of its question", () => {
  const state = fold(folderDecider, streams.get('folder-0190b5c0-0000-7000-8000-00000000b001')!)
  expect(state.sessions.at(-1)).toMatchObject({
    review: { goals: [{ state: 'tried' }, { state: 'fixed' }, { text: 'Ten swings off the low tee, every day', state: 'given' }] },
    about: { at: 867, frame: 52 },
  })
})

test('voice-overs of an earlier version are accepted by the contract', () => {
  const given = log.filter(e => e.type === 'FeedbackGiven').map(e => (e.data as { review: { voices?: unknown[] } }).review)
  const voices = given.flatMap(review => review.voices ?? [])
  expect(voices.length).toBeGreaterThan(1)
  for (const voice of voices) expect(Voice.parse(voice)).toEqual(voice)
})

test('the payment events of an earlier version are read into the right state', () => {
  const of = (noun: string) => [...streams].find(([stream]) => stream.startsWith(`${noun}-`))![1]
  const state = fold(paymentDecider, of('payment'))
  expect(state).toMatchObject({
    status: 'paid',
    paid: { amount: 1400 },
    open: {},
    disputes: { [Object.keys(state.disputes)[0]!]: 'lost' },
    transfers: [
      { reversed: true, netted: 0, owed: 0 },
      { reversed: true, netted: 500, owed: 700 },
    ],
  })
  expect([refundedOrPendingCents(state), currentShareCentsOf(state)]).toEqual([500, 0])
  expect(fold(creditsAndPointsDecider, of('perks'))).toMatchObject({
    packs: { '0190b5c0-0000-7000-8000-000000000061': { left: 2 } },
    points: 0,
    referred: true,
  })
  expect(fold(walletDecider, of('wallet'))).toMatchObject({ cards: [{ last4: '4242' }], preferred: 'pm_1TZkPc2eZvKYlo2C0a1b2c3d' })
  expect(fold(payoutAccountAndDebtDecider, of('payout'))).toMatchObject({ ready: false, held: [], requirements: ['external_account'] })
  expect(debtCentsOfPayoutState(fold(payoutAccountAndDebtDecider, of('payout')))).toBe(200)
  expect(fold(supportRequestDecider, of('request')).status).toBe('answered')
})

describe('the sample events', () => {
  test.each(projections.map(p => [p.name, p] as const))('fill every column of the read model %s', (_, p) => {
    for (const row of projectedRowsOf(p, log).values()) {
      for (const [column, type] of Object.entries<string>(p.row)) {
        if (!type.endsWith('?')) expect([column, row[column] ?? null]).not.toEqual([column, null])
      }
      expect(Object.keys(row).filter(column => !(column in p.row))).toEqual([])
    }
  })
  test('create errands with the same ids as before, so that none is performed twice', () => {
    const errands = processes.flatMap(p =>
      log.flatMap(e => [p.on[e.type]?.(e as never) ?? []].flat().map((errand: Errand) => [`${e.id} ${errand.kind}`, errand.id])),
    )
    expect(new Set(errands.map(([, id]) => id)).size).toBe(errands.length)
    const formerIds = JSON.parse(readFileSync(join(import.meta.dirname, 'errands/ids.json'), 'utf8')) as string[][]
    for (const former of formerIds) expect(errands).toContainEqual(former)
  })
})
