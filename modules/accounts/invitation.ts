import { decider, derivedId, handle } from '../kernel/decider.ts'
import type { EventStore } from '../kernel/store.ts'

/** Stream `invitation-<id of its link>`, for whoever asks later who let whom run the place. The address is in the link alone. */
export type InvitationEvent = { type: 'AdminInvited'; data: object } | { type: 'AdminJoined'; data: { user: string } }

interface State {
  invited: boolean
  joined: string | null
}

/** How somebody became an administrator. By the setup link nobody was invited. */
export const invitation = decider<State, InvitationEvent>()({
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

/** The log hears of a new administrator once the account is there. */
export const adminJoinedErrand = (link: string, user: string) => ({
  id: derivedId(link, 'invitation.joined'),
  kind: 'invitation.joined',
  payload: { link, user },
})
export const invitationErrands = (store: EventStore) => ({
  'invitation.joined': ({ link, user }: { link: string; user: string }) =>
    handle(store, invitation, link, 'join', { user }, { command: derivedId(link, 'join'), actor: user }),
})
