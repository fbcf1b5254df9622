import { decider, derivedId, handleCommand } from '../kernel/decider.ts'
import type { EventStore } from '../kernel/store.ts'

/** Stream `invitation-<link id>`: who invited which administrator. The email address is only in the stored link, never in an event. */
export type AdminInvitationEvent = { type: 'AdminInvited'; data: object } | { type: 'AdminJoined'; data: { user: string } }

interface State {
  invited: boolean
  joined: string | null
}

/** The invitation of one administrator. The stream of the setup link, which invites nobody, has only `AdminJoined`. */
export const adminInvitationDecider = decider<State, AdminInvitationEvent>()({
  stream: 'invitation',
  initial: { invited: false, joined: null },
  evolve: {
    AdminInvited: i => ({ ...i, invited: true }),
    AdminJoined: (i, { user }) => ({ ...i, joined: user }),
  },
  decide: {
    invite: i => (i.invited ? [] : { type: 'AdminInvited', data: {} }),
    join: (i, { user }: { user: string }) => (i.joined ? [] : { type: 'AdminJoined', data: { user } }),
  },
})

/** The errand that records the new administrator in the log once the account exists. */
export const errandToRecordAdminJoined = (link: string, user: string) => ({
  id: derivedId(link, 'invitation.joined'),
  kind: 'invitation.joined',
  payload: { link, user },
})
export const recordAdminJoinedErrandHandlers = (store: EventStore) => ({
  'invitation.joined': ({ link, user }: { link: string; user: string }) =>
    handleCommand(store, adminInvitationDecider, link, 'join', { user }, { command: derivedId(link, 'join'), actor: user }),
})
