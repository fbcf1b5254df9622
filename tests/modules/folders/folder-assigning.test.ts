import { expect, test } from 'vitest'
import {
  currentSession,
  type FolderEvent,
  folderStatusOf,
  isNewAssignmentOrThrow,
  nextSessionVideos,
} from '../../../modules/folders/folder.ts'
import { refusalCodeAndField } from '../../support/refusal-code-and-field.ts'
import {
  assignCommand,
  assignedFolderEvents,
  feedbackGiven,
  folderArchived,
  folderAssigned,
  folderCreated,
  folderPaid,
  givenFolderEvents,
  paidFolderEvents,
  reviewingFolderEvents,
  reviewStarted,
  testQuote,
  testReview,
  testVideo,
  unassignedFolderEvents,
  unpaidFolderEvents,
  videoAdded,
} from './sample-folder-events.ts'

test('assigning requires exactly the videos for which the price was quoted', () => {
  givenFolderEvents(...unassignedFolderEvents)
    .when('assign', assignCommand)
    .gives(folderAssigned())
  givenFolderEvents(folderCreated)
    .when('assign', { ...assignCommand, videos: [] })
    .refuses('no-videos')
  givenFolderEvents(...unassignedFolderEvents, videoAdded('b'))
    .when('assign', assignCommand)
    .refuses('quote-changed')
  givenFolderEvents(...unassignedFolderEvents, folderArchived)
    .when('assign', assignCommand)
    .refuses('archived')
})

test('only one assignment can be open; repeating it changes nothing', () => {
  givenFolderEvents(...assignedFolderEvents)
    .when('assign', assignCommand)
    .gives()
  givenFolderEvents(...unpaidFolderEvents)
    .when('assign', assignCommand)
    .gives()
  givenFolderEvents(...assignedFolderEvents)
    .when('assign', { ...assignCommand, instructor: 'j' })
    .refuses('assigned-before')
  // The id of an assignment cannot be used again with another message.
  for (const message of ['Look at my feet, too', null])
    givenFolderEvents(...assignedFolderEvents)
      .when('assign', { ...assignCommand, message })
      .refuses('assigned-before')
  givenFolderEvents(...assignedFolderEvents)
    .when('assign', { ...assignCommand, assignment: 'as2' })
    .refuses('assigned')
  givenFolderEvents(...reviewingFolderEvents)
    .when('assign', { ...assignCommand, assignment: 'as2' })
    .refuses('assigned')
  givenFolderEvents(...unpaidFolderEvents)
    .when('assign', { ...assignCommand, assignment: 'as2' })
    .refuses('payment-due')
  givenFolderEvents(...assignedFolderEvents, { type: 'AssignmentWithdrawn', data: { assignment: 'as1' } })
    .when('assign', assignCommand)
    .refuses('assigned-before')
})

test('a paid folder can be assigned again and remembers its previous session', () => {
  givenFolderEvents(...paidFolderEvents)
    .when('assign', { ...assignCommand, assignment: 'as2' })
    .gives(folderAssigned('as2', 'as1'))
  const again = { ...assignCommand, assignment: 'as2', videos: [{ id: 'b', bytes: 1000 }] }
  givenFolderEvents(...paidFolderEvents, videoAdded('b'))
    .when('assign', again)
    .gives(folderAssigned('as2', 'as1', again.videos))
})

test('a follow-up covers only the new videos, again at most three', () => {
  expect(nextSessionVideos(givenFolderEvents(...paidFolderEvents).state)).toEqual([{ id: 'a', bytes: 1000 }])
  const more = givenFolderEvents(...paidFolderEvents, videoAdded('b'), videoAdded('c'))
  expect(nextSessionVideos(more.state).map(v => v.id)).toEqual(['b', 'c'])
  more.when('addVideo', { video: testVideo('d') }).gives(videoAdded('d'))
  givenFolderEvents(...paidFolderEvents, videoAdded('b'), videoAdded('c'), videoAdded('d'))
    .when('addVideo', { video: testVideo('e') })
    .refuses('too-many-videos')
})

test('an assignment can be withdrawn until its review starts', () => {
  givenFolderEvents(...assignedFolderEvents)
    .when('withdraw', {})
    .gives({ type: 'AssignmentWithdrawn', data: { assignment: 'as1' } })
  givenFolderEvents(...unassignedFolderEvents)
    .when('withdraw', {})
    .gives()
  givenFolderEvents(...reviewingFolderEvents)
    .when('withdraw', {})
    .refuses('in-review')
  givenFolderEvents(...unpaidFolderEvents)
    .when('withdraw', {})
    .refuses('delivered')
})

test('only the session that was shown is withdrawn', () => {
  const withdrawn = (assignment: string): FolderEvent => ({ type: 'AssignmentWithdrawn', data: { assignment } })
  const shown = { session: 'as1' }
  givenFolderEvents(...assignedFolderEvents)
    .when('withdraw', shown)
    .gives(withdrawn('as1'))
  givenFolderEvents(...assignedFolderEvents, withdrawn('as1'))
    .when('withdraw', shown)
    .gives()
  const sentAgain = givenFolderEvents(...assignedFolderEvents, withdrawn('as1'), folderAssigned('as2'))
  sentAgain.when('withdraw', shown).refuses('sent-again')
  sentAgain.when('withdraw', { ...shown, guardian: 'g' }).refuses('sent-again')
  sentAgain.when('withdraw', { session: 'as2' }).gives(withdrawn('as2'))
  givenFolderEvents(...paidFolderEvents, folderAssigned('as2', 'as1'))
    .when('withdraw', shown)
    .refuses('sent-again')
  givenFolderEvents(...paidFolderEvents, folderAssigned('as2', 'as1'), withdrawn('as2'))
    .when('withdraw', { session: 'as2' })
    .refuses('delivered')
})

test('a withdrawn or declined follow-up keeps the earlier feedback', () => {
  for (const type of ['AssignmentWithdrawn', 'AssignmentDeclined'] as const) {
    const { state } = givenFolderEvents(...paidFolderEvents, folderAssigned('as2', 'as1'), {
      type,
      data: { assignment: 'as2', reason: 'Injured' },
    } as FolderEvent)
    expect(folderStatusOf(state)).toBe('paid')
    expect(currentSession(state)).toMatchObject({ id: 'as1', review: testReview })
  }
})

test('the assigned instructor can decline with a reason until feedback is given', () => {
  const declined: FolderEvent = { type: 'AssignmentDeclined', data: { assignment: 'as1', reason: 'Injured' } }
  const command = { instructor: 'i', reason: 'Injured' }
  givenFolderEvents(...assignedFolderEvents)
    .when('decline', command)
    .gives(declined)
  givenFolderEvents(...reviewingFolderEvents)
    .when('decline', command)
    .gives(declined)
  givenFolderEvents(...unpaidFolderEvents)
    .when('decline', command)
    .refuses('delivered')
  givenFolderEvents(...assignedFolderEvents)
    .when('decline', { ...command, instructor: 'j' })
    .refuses('not-assigned')
  givenFolderEvents(...assignedFolderEvents, declined)
    .when('decline', command)
    .refuses('not-assigned')
})

test('a session without new videos takes the previous ones again, and no others', () => {
  const two = [
    { id: 'b', bytes: 1000 },
    { id: 'c', bytes: 1000 },
  ]
  const of = (id: string): FolderEvent => ({ ...feedbackGiven, data: { ...(feedbackGiven.data as object), assignment: id } }) as FolderEvent
  const log = [
    folderCreated,
    videoAdded('a'),
    folderAssigned(),
    feedbackGiven,
    folderPaid,
    videoAdded('b'),
    videoAdded('c'),
    folderAssigned('as2', 'as1', two),
    of('as2'),
  ]
  const { state, when } = givenFolderEvents(...log, { type: 'FolderPaid', data: { assignment: 'as2' } })
  expect(nextSessionVideos(state)).toEqual(two)
  const asked = { assignment: 'as3', instructor: 'i', message: null, quote: testQuote, terms: null, videos: two }
  when('assign', asked).gives({ type: 'FolderAssigned', data: { ...asked, player: 'p', follows: 'as2' } })
  expect(nextSessionVideos(givenFolderEvents(folderCreated).state)).toEqual([])
})

test('a session without new videos leaves out refused ones; new refused ones stay', () => {
  const [a, b] = [
    { id: 'a', bytes: 1000 },
    { id: 'b', bytes: 1000 },
  ] as const
  const { state, when } = givenFolderEvents(
    folderCreated,
    videoAdded('a'),
    videoAdded('b'),
    folderAssigned('as1', null, [a, b]),
    feedbackGiven,
    folderPaid,
  )
  expect(nextSessionVideos(state, ['b'])).toEqual([a])
  expect(nextSessionVideos(state, ['a', 'b'])).toEqual([])
  const asked = { assignment: 'as2', instructor: 'i', message: null, quote: testQuote, terms: null, videos: [a] }
  when('assign', asked).refuses('quote-changed')
  when('assign', { ...asked, refusedVideos: ['b'] }).gives({ type: 'FolderAssigned', data: { ...asked, player: 'p', follows: 'as1' } })
  when('requestApproval', { ...asked, refusedVideos: ['b'] }).gives({ type: 'ApprovalRequested', data: { ...asked, player: 'p' } })
  const fresh = givenFolderEvents(folderCreated, videoAdded('a'), videoAdded('b')).state
  expect(nextSessionVideos(fresh, ['b'])).toEqual([a, b])
})

test('assigning an assigned or unpaid folder is refused with the actual reason', () => {
  const asked = { assignment: 'as2', instructor: 'i', message: null, quote: testQuote, terms: null, videos: [{ id: 'a', bytes: 1000 }] }
  for (const events of [[folderAssigned()], [folderAssigned(), reviewStarted]])
    expect(givenFolderEvents(folderCreated, videoAdded('a'), ...events).when('assign', asked).decide).toThrow(
      'Only one can review it at a time.',
    )
  givenFolderEvents(folderCreated, videoAdded('a'), folderAssigned(), feedbackGiven).when('assign', asked).refuses('payment-due')
})

test('whether an assignment is new is decided without a price', () => {
  const asked = { assignment: 'as1', instructor: 'i', message: 'Look at my hands', videos: [{ id: 'a', bytes: 1000 }] }
  expect(isNewAssignmentOrThrow(givenFolderEvents(...unassignedFolderEvents).state, asked)).toBe(true)
  expect(isNewAssignmentOrThrow(givenFolderEvents(...assignedFolderEvents).state, asked)).toBe(false)
  expect(
    refusalCodeAndField(() => isNewAssignmentOrThrow(givenFolderEvents(...assignedFolderEvents).state, { ...asked, assignment: 'as2' })),
  ).toEqual({
    code: 'assigned',
  })
  expect(
    refusalCodeAndField(() => isNewAssignmentOrThrow(givenFolderEvents(...unassignedFolderEvents).state, { ...asked, videos: [] })),
  ).toEqual({
    code: 'quote-changed',
  })
})
