import { expect, test } from 'vitest'
import { adminJoinedErrand, type InvitationEvent, invitation, invitationErrands } from '../../../modules/accounts/invitation.ts'
import { derivedId, fold } from '../../../modules/kernel/decider.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'

const given = (...events: InvitationEvent[]) => fold(invitation, events as { type: string; data: unknown }[])
const invited: InvitationEvent = { type: 'AdminInvited', data: {} }
const came: InvitationEvent = { type: 'AdminJoined', data: { user: 'ada' } }
const { decide } = invitation

test('a person is invited once and joins once, and so is the user of the setup link', () => {
  expect(given()).toEqual({ invited: false, joined: null })
  expect(decide.invite(given())).toEqual(invited)
  expect(decide.invite(given(invited))).toEqual([])
  for (const before of [[], [invited]]) expect(decide.join(given(...before), { user: 'ada' })).toEqual(came)
  expect(decide.join(given(invited, came), { user: 'ada' })).toEqual([])
  expect(decide.join(given(came), { user: 'eve' })).toEqual([])
  expect(decide.invite(given(came))).toEqual(invited)
  expect(given(invited, came)).toEqual({ invited: true, joined: 'ada' })
})

test('whoever joined is in the log, once, however often it is asked for', async () => {
  const store = memoryStore()
  const { id, kind, payload } = adminJoinedErrand('l1', 'ada')
  expect([id, kind]).toEqual([derivedId('l1', 'invitation.joined'), 'invitation.joined'])
  const perform = invitationErrands(store)['invitation.joined']
  await perform(payload)
  await perform(payload)
  expect((await store.read('invitation-l1')).map(e => [e.type, e.data, e.meta.actor, e.meta.command])).toEqual([
    ['AdminJoined', { user: 'ada' }, 'ada', derivedId('l1', 'join')],
  ])
})
