import { decider, load } from '../kernel/decider.ts'
import { type EventStore, Refused } from '../kernel/store.ts'

/** What else has to be deleted with a person, by id: what read models hold of them. */
export interface PersonalRecords {
  folders: string[]
  assignments: string[]
  requests: string[]
  /** Events whose words can no longer be read. */
  events: string[]
}

/** What people change of their own account. */
export type AccountField = 'name' | 'phone' | 'email' | 'password'

/** Stream `account-<user>`. */
export type AccountEvent =
  /** The owner changed this. What it was and what it is now stand in the accounts alone. `at`: ISO 8601. */
  | { type: 'AccountChanged'; data: { field: AccountField; at: string } }
  /** `due`: from when on it cannot be undone, ISO 8601. `cause`: why it is deleted where its owner has not asked for that. */
  | { type: 'DeletionScheduled'; data: { due: string; cause?: 'consent-refused' } }
  | { type: 'DeletionCanceled'; data: object }
  | { type: 'DeletionStarted'; data: object }
  /** The key of the person's words is destroyed, and whatever names the person is deleted. The id stays, as a pseudonym. */
  | { type: 'PersonForgotten'; data: PersonalRecords }

export type PersonForgotten = Extract<AccountEvent, { type: 'PersonForgotten' }>

export interface Account {
  /** When each field was last changed by its owner. */
  changed: Partial<Record<AccountField, string>>
  /** When the account will be deleted; null while nobody has asked for it. */
  due: string | null
  /** `started`: the person is gone, and what is theirs is being deleted. */
  deletion: 'none' | 'scheduled' | 'started' | 'done'
}

/** An account as its owner may end it. */
export const account = decider<Account, AccountEvent>()({
  stream: 'account',
  initial: { changed: {}, due: null, deletion: 'none' },
  evolve: {
    AccountChanged: (a, { field, at }) => ({ ...a, changed: { ...a.changed, [field]: at } }),
    DeletionScheduled: (a, { due }) => ({ ...a, due, deletion: 'scheduled' }),
    DeletionCanceled: a => ({ ...a, due: null, deletion: 'none' }),
    DeletionStarted: a => ({ ...a, deletion: 'started' }),
    PersonForgotten: a => ({ ...a, deletion: 'done' }),
  },
  decide: {
    recordChanges: (_, { fields, at }: { fields: AccountField[]; at: string }) =>
      fields.map(field => ({ type: 'AccountChanged' as const, data: { field, at } })),
    scheduleDeletion: (a, { due }: { due: string }) => (a.deletion === 'none' ? { type: 'DeletionScheduled', data: { due } } : []),
    /** A guardian said no, and the time to reconsider is over. Twice is like once. */
    expire: (a, { due }: { due: string }) =>
      a.deletion === 'none' ? { type: 'DeletionScheduled', data: { due, cause: 'consent-refused' } } : [],
    cancelDeletion: a => {
      if (a.deletion === 'started' || a.deletion === 'done') throw new Refused('This account is being deleted already.', 'deletion-started')
      return a.deletion === 'scheduled' ? { type: 'DeletionCanceled', data: {} } : []
    },
    /** `due` is that of the schedule that asks: one that was canceled meanwhile starts nothing. */
    startDeletion: (a, { due }: { due: string }) =>
      a.deletion === 'scheduled' && a.due === due ? { type: 'DeletionStarted', data: {} } : [],
    forget: (a, records: PersonalRecords) => (a.deletion === 'started' ? { type: 'PersonForgotten', data: records } : []),
  },
})

export const accountOf = (store: EventStore, person: string): Promise<Account> => load(store, account, person)

/** @throws Refused where the account is about to be deleted, so that nothing new is begun or bought with it */
export async function assertNoDeletionDue(store: EventStore, person: string): Promise<void> {
  if ((await accountOf(store, person)).deletion === 'none') return
  throw new Refused('Your account is about to be deleted. Keep it first, on the page Your account.', 'deletion-scheduled')
}
