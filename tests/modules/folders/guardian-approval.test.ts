import { expect, test } from 'vitest'
import {
  type ApprovalLapseCause,
  type FolderEvent,
  folderDecider,
  folderStatusOf,
  type StoredVideo,
} from '../../../modules/folders/folder.ts'
import { fold } from '../../../modules/kernel/decider.ts'
import { deciderSpec } from '../../support/decider-spec.ts'

/** Tests that an approval assigns exactly the session that the minor requested, at the price that the minor saw. */

const { given } = deciderSpec(folderDecider)

const video = (id: string): StoredVideo => ({
  id,
  name: `${id}.mp4`,
  type: 'video/mp4',
  bytes: 1000,
  milliseconds: 4000,
  width: 1280,
  height: 720,
  key: `videos/f/${id}`,
  poster: null,
})
const added = (id: string): FolderEvent => ({ type: 'VideoAdded', data: { video: video(id) } })
const quote = { items: [{ label: 'Base', cents: 1500 }], total: 1550, atMost: 2500 }
const asked = { assignment: 'as1', instructor: 'i', message: 'Hands?', quote, terms: { credit: true }, videos: [{ id: 'a', bytes: 1000 }] }
const requested: FolderEvent = { type: 'ApprovalRequested', data: { ...asked, player: 'p' } }
const open: FolderEvent[] = [{ type: 'FolderCreated', data: { player: 'p', name: 'Swings' } }, added('a')]
const pending = [...open, requested]
const lapsed = (cause: ApprovalLapseCause): FolderEvent => ({ type: 'ApprovalLapsed', data: { assignment: 'as1', cause } })
const ended: FolderEvent[] = [
  lapsed('videos'),
  { type: 'ApprovalWithdrawn', data: { assignment: 'as1' } },
  { type: 'ApprovalDeclined', data: { assignment: 'as1', guardian: 'g', reason: 'Not this week' } },
]
const approval = { assignment: 'as1', guardian: 'g', terms: { credit: true, payer: 'g' } }
const approved: FolderEvent[] = [
  { type: 'ApprovalGiven', data: { assignment: 'as1', guardian: 'g' } },
  { type: 'FolderAssigned', data: { ...asked, terms: approval.terms, player: 'p', follows: null } },
]

test('requesting approval leaves the folder open, and repeating it changes nothing', () => {
  given(...open)
    .when('requestApproval', asked)
    .gives(requested)
  given(...pending)
    .when('requestApproval', asked)
    .gives()
  given(...pending)
    .when('assign', asked)
    .gives()
  expect(folderStatusOf(fold(folderDecider, pending))).toBe('open')
})

test('approval cannot be requested for a session that cannot be assigned', () => {
  given(open[0]!)
    .when('requestApproval', { ...asked, videos: [] })
    .refuses('no-videos')
  given(...open, added('b'))
    .when('requestApproval', asked)
    .refuses('quote-changed')
  given(...open, ...approved)
    .when('requestApproval', { ...asked, assignment: 'as2' })
    .refuses('assigned')
})

test('an open approval request allows neither another request nor an assignment', () => {
  given(...pending)
    .when('requestApproval', { ...asked, assignment: 'as2' })
    .refuses('approval-pending')
  given(...pending)
    .when('assign', { ...asked, assignment: 'as2' })
    .refuses('approval-pending')
  given(...pending)
    .when('requestApproval', { ...asked, instructor: 'j' })
    .refuses('assigned-before')
})

test('an approval assigns the requested session once', () => {
  given(...pending)
    .when('approve', approval)
    .gives(...approved)
  given(...pending, ...approved)
    .when('approve', approval)
    .gives()
  expect(folderStatusOf(fold(folderDecider, [...pending, ...approved]))).toBe('assigned')
})

test('a guardian who declines gives a reason', () => {
  given(...pending)
    .when('declineApproval', { assignment: 'as1', guardian: 'g', reason: 'Not this week' })
    .gives(ended[2]!)
})

test('the player can withdraw a request, and the folder stays open', () => {
  given(...pending)
    .when('withdraw', {})
    .gives(ended[1]!)
  expect(folderStatusOf(fold(folderDecider, [...pending, ended[1]!]))).toBe('open')
})

test('the player withdraws only the request that was shown, even once it is approved', () => {
  const shown = { session: 'as1' }
  given(...pending)
    .when('withdraw', shown)
    .gives(ended[1]!)
  given(...pending, ...approved)
    .when('withdraw', shown)
    .gives({ type: 'AssignmentWithdrawn', data: { assignment: 'as1' } })
  const askedAgain: FolderEvent = { type: 'ApprovalRequested', data: { ...asked, assignment: 'as2', player: 'p' } }
  given(...pending, ended[1]!, askedAgain)
    .when('withdraw', shown)
    .refuses('sent-again')
  given(...pending, ended[1]!)
    .when('withdraw', shown)
    .gives()
})

test.each(ended.map(e => [e.type, e] as const))('after %s a request can neither be answered nor be sent again', (_, end) => {
  const after = given(...pending, end)
  after.when('approve', approval).refuses('request-over')
  after.when('declineApproval', { assignment: 'as1', guardian: 'g', reason: 'No' }).refuses('request-over')
  after.when('requestApproval', asked).refuses('assigned-before')
  after.when('assign', asked).refuses('assigned-before')
  after
    .when('requestApproval', { ...asked, assignment: 'as2' })
    .gives({ type: 'ApprovalRequested', data: { ...asked, assignment: 'as2', player: 'p' } })
})

test('a video does not expire while a request for it is open', () => {
  given(...pending)
    .when('expireVideo', { video: 'a' })
    .gives()
  given(...pending, ended[2]!)
    .when('expireVideo', { video: 'a' })
    .gives({ type: 'VideoRemoved', data: { video: 'a' } })
})

test('changing the videos or archiving the folder ends the request', () => {
  given(...pending)
    .when('addVideo', { video: video('b') })
    .gives(added('b'), lapsed('videos'))
  given(...pending)
    .when('removeVideo', { video: 'a' })
    .gives({ type: 'VideoRemoved', data: { video: 'a' } }, lapsed('videos'))
  given(...pending)
    .when('replaceVideo', { video: 'a', by: video('b'), isRefused: true })
    .gives({ type: 'VideoReplaced', data: { video: 'a', by: video('b') } }, lapsed('videos'))
  given(...pending)
    .when('archive')
    .gives({ type: 'FolderArchived', data: {} }, lapsed('archived'))
  given(...pending)
    .when('rename', { name: 'Other' })
    .gives({ type: 'FolderRenamed', data: { name: 'Other' } })
})

test('withdrawn consent or a leaving instructor ends only an open approval request', () => {
  given(...pending)
    .when('lapse', { cause: 'consent' })
    .gives(lapsed('consent'))
  given(...open)
    .when('lapse', { cause: 'consent' })
    .gives()
  given(...pending, ...approved)
    .when('lapse', { cause: 'instructor' })
    .gives()
})
