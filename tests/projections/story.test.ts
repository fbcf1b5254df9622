import { expect, test } from 'vitest'
import { story } from '../../projections/story.ts'
import { projectedRowsOf, toRecordedEvents } from './project-events-in-memory.ts'

const folder = '0190a1b2-0000-7000-8000-000000000001'
const stream = `folder-${folder}`
const parties = { folder, player: 'ana', instructor: 'cal' }
const chapters = (...events: Parameters<typeof toRecordedEvents>[0]) =>
  projectedRowsOf(story as never, toRecordedEvents(events)).get(folder)!.chapters as {
    type: string
    by: string
    at: string
    detail: object
  }[]

test('the events of a folder and its payment form one history in order', () => {
  const told = chapters(
    { stream, type: 'FolderCreated', data: { player: 'ana', name: 'Swings' } },
    { stream, type: 'FolderAssigned', data: { assignment: 'as1', instructor: 'cal' } },
    { stream, type: 'FeedbackGiven', data: { assignment: 'as1', review: { notes: [1, 2] } }, by: 'cal' },
    { stream: 'payment-as1', type: 'PaymentOpened', data: { ...parties }, by: 'system' },
    { stream: 'payment-as1', type: 'PaymentFailed', data: { ...parties, reason: 'expired-card' } },
    { stream: 'payment-as1', type: 'PaymentSucceeded', data: { ...parties, amount: 1850 } },
    { stream: 'payment-as1', type: 'TransferMade', data: { amount: 1200 }, by: 'system' },
    { stream: 'payment-as1', type: 'PaymentRefunded', data: { ...parties, amount: 500 }, by: 'root' },
  )
  expect(told.map(c => [c.type, c.by])).toEqual([
    ['FolderCreated', 'ana'],
    ['FolderAssigned', 'ana'],
    ['FeedbackGiven', 'cal'],
    ['PaymentFailed', 'ana'],
    ['PaymentSucceeded', 'ana'],
    ['PaymentRefunded', 'root'],
  ])
  expect(told.map(c => c.detail).slice(2)).toEqual([
    { assignment: 'as1', notes: 2 },
    { assignment: 'as1' },
    { assignment: 'as1', cents: 1850 },
    { assignment: 'as1', cents: 500 },
  ])
})

test("a removed video keeps its name in a folder's history", () => {
  const told = chapters(
    { stream, type: 'VideoAdded', data: { video: { id: 'v1', name: 'tee.mov' } } },
    { stream, type: 'VideoAdded', data: { video: { id: 'v2', name: 'cage.mov' } } },
    { stream, type: 'VideoRemoved', data: { video: 'v1' } },
  )
  expect(told[2]!.detail).toEqual({ video: 'v1', name: 'tee.mov' })
})
