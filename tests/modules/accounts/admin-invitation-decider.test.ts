import { expect, test } from 'vitest'
import {
  type AdminInvitationEvent,
  adminInvitationDecider,
  errandToRecordAdminJoined,
  recordAdminJoinedErrandHandlers,
} from '../../../modules/accounts/admin-invitation-decider.ts'
import { derivedId } from '../../../modules/kernel/decider.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import { deciderSpec } from '../../support/decider-spec.ts'

const { given } = deciderSpec(adminInvitationDecider)
const invited: AdminInvitationEvent = { type: 'AdminInvited', data: {} }
const joined: AdminInvitationEvent = { type: 'AdminJoined', data: { user: 'ada' } }

test('an administrator is invited once and joins once, even without an invitation', () => {
  expect(given().state).toEqual({ invited: false, joined: null })
  given().when('invite').gives(invited)
  given(invited).when('invite').gives()
  for (const before of [[], [invited]])
    given(...before)
      .when('join', { user: 'ada' })
      .gives(joined)
  given(invited, joined).when('join', { user: 'ada' }).gives()
  given(joined).when('join', { user: 'eve' }).gives()
  given(joined).when('invite').gives(invited)
  expect(given(invited, joined).state).toEqual({ invited: true, joined: 'ada' })
})

test('the log records only once that a person joined, even if it is requested again', async () => {
  const store = memoryStore()
  const { id, kind, payload } = errandToRecordAdminJoined('l1', 'ada')
  expect([id, kind]).toEqual([derivedId('l1', 'invitation.joined'), 'invitation.joined'])
  const perform = recordAdminJoinedErrandHandlers(store)['invitation.joined']
  await perform(payload)
  await perform(payload)
  expect((await store.read('invitation-l1')).map(e => [e.type, e.data, e.meta.actor, e.meta.command])).toEqual([
    ['AdminJoined', { user: 'ada' }, 'ada', derivedId('l1', 'join')],
  ])
})
