import { derivedId, handleCommand } from '../kernel/decider.ts'
import type { EventStore } from '../kernel/store.ts'
import { type AccountRole, accountDecider } from './account-exports-and-deletion-decider.ts'

interface Registration {
  user: string
  role: AccountRole
}

/** The errand that records a new account in the log, once the account exists. */
export const errandToRecordRegistration = (user: string, role: AccountRole) => ({
  id: derivedId(user, 'account.registered'),
  kind: 'account.registered',
  payload: { user, role } satisfies Registration,
})
export const recordRegistrationErrandHandlers = (store: EventStore) => ({
  'account.registered': ({ user, role }: Registration) =>
    handleCommand(store, accountDecider, user, 'register', { role }, { command: derivedId(user, 'register'), actor: user }),
})
