import { decider, loadState } from '../kernel/decider.ts'
import { CommandRefused, type EventStore } from '../kernel/store.ts'
import { EXPORT_RETRY_HOURS } from './policy.ts'

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

export type AccountRole = 'player' | 'instructor' | 'admin'

/** Stream `account-<user>`. */
export type AccountEvent =
  /** Missing where the account is older than this event. Name and address stand in the accounts alone. */
  | { type: 'AccountRegistered'; data: { role: AccountRole } }
  /** The owner, or the guardian of a minor, asks for a file with all that we hold of the owner. `at`: ISO 8601. */
  | { type: 'ExportRequested'; data: { export: string; at: string; guardian?: string } }
  /** `until`: from then on it is gone, ISO 8601. `guardian`: who asked for it, and alone may download it. */
  | { type: 'ExportMade'; data: { export: string; bytes: number; until: string; guardian?: string } }
  | { type: 'ExportDownloaded'; data: { export: string; at: string } }
  /** The owner changed this field. Its former and new values are stored only in the accounts. `at`: ISO 8601. */
  | { type: 'AccountChanged'; data: { field: AccountField; at: string } }
  /**
   * `due`: from when on it cannot be undone, ISO 8601. `cause`: why it is deleted where nobody has asked for that. `guardian`: who asked for it,
   * where that was not the owner.
   */
  | { type: 'DeletionScheduled'; data: { due: string; cause?: 'consent-refused' | 'backup-restored'; guardian?: string } }
  | { type: 'DeletionCanceled'; data: object }
  | { type: 'DeletionStarted'; data: object }
  /** The person's encryption key is destroyed, and all data that names the person is deleted. The id stays as a pseudonym. */
  | { type: 'PersonForgotten'; data: PersonalRecords }

export type PersonForgotten = Extract<AccountEvent, { type: 'PersonForgotten' }>

export interface PersonalExport {
  id: string
  requested: string
  /** Who asked for it and alone may download it; null where the owner did. */
  guardian: string | null
  /** Null while it is being made. */
  made: { bytes: number; until: string } | null
  /** When it was last downloaded. */
  downloaded: string | null
}

export interface Account {
  /** As what its owner registered; null where the log does not know. */
  role: AccountRole | null
  /** Files with all that we hold of the owner, the oldest first. */
  exports: PersonalExport[]
  /** When each field was last changed by its owner. */
  changed: Partial<Record<AccountField, string>>
  /** When the account will be deleted; null if no deletion was requested. */
  due: string | null
  /** Whether the guardian asked for the deletion that is due. */
  isDueByGuardian: boolean
  /** It was deleted before, and came back with a backup: nothing keeps it from going again. */
  isDeletedAgain: boolean
  /** `started`: the account is closed, and its data is being deleted. */
  deletion: 'none' | 'scheduled' | 'started' | 'done'
}

const withExport = (a: Account, id: string, more: Partial<PersonalExport>): Account => ({
  ...a,
  exports: a.exports.map(e => (e.id === id ? { ...e, ...more } : e)),
})
/** Whether the deletion of this account has begun, so that nothing of it is needed any more. */
export const hasDeletionStarted = ({ deletion }: Pick<Account, 'deletion'>) => deletion === 'started' || deletion === 'done'

/**
 * The export that is being made now for this guardian, or for the owner (null); undefined where there is none, or where making it has failed for
 * so long that another one may be tried.
 */
export const pendingExport = ({ exports }: Account, guardian: string | null, now: Date): PersonalExport | undefined =>
  exports.find(e => !e.made && e.guardian === guardian && now.getTime() - Date.parse(e.requested) < EXPORT_RETRY_HOURS * 3600_000)

/** The newest file of this guardian, or of the owner (null), that is being made or can be downloaded; undefined where there is none. */
export const latestExport = (a: Account, guardian: string | null, now: Date): PersonalExport | undefined =>
  pendingExport(a, guardian, now) ?? a.exports.findLast(({ id }) => availableExport(a, id, guardian, now))

/** A file that this guardian, or the owner (null), may download now. */
export const availableExport = ({ exports }: Account, id: string, guardian: string | null, now: Date): PersonalExport | undefined =>
  exports.find(e => e.id === id && e.guardian === guardian && e.made && Date.parse(e.made.until) > now.getTime())

/** An account as its owner may change, take along and end it. */
export const accountDecider = decider<Account, AccountEvent>()({
  stream: 'account',
  initial: { role: null, exports: [], changed: {}, due: null, isDueByGuardian: false, isDeletedAgain: false, deletion: 'none' },
  evolve: {
    AccountRegistered: (a, { role }) => ({ ...a, role }),
    AccountChanged: (a, { field, at }) => ({ ...a, changed: { ...a.changed, [field]: at } }),
    ExportRequested: (a, { export: id, at, guardian = null }) => ({
      ...a,
      exports: [...a.exports, { id, requested: at, guardian, made: null, downloaded: null }],
    }),
    ExportMade: (a, { export: id, bytes, until }) => withExport(a, id, { made: { bytes, until } }),
    ExportDownloaded: (a, { export: id, at }) => withExport(a, id, { downloaded: at }),
    DeletionScheduled: (a, { due, cause, guardian }) => ({
      ...a,
      ...{ due, isDueByGuardian: guardian !== undefined, isDeletedAgain: cause === 'backup-restored', deletion: 'scheduled' },
    }),
    DeletionCanceled: a => ({ ...a, due: null, isDueByGuardian: false, deletion: 'none' }),
    DeletionStarted: a => ({ ...a, deletion: 'started' }),
    PersonForgotten: a => ({ ...a, deletion: 'done' }),
  },
  decide: {
    /** An account that is being deleted already keeps its history without this. */
    register: (a, { role }: { role: AccountRole }) =>
      a.role || hasDeletionStarted(a) ? [] : { type: 'AccountRegistered', data: { role } },
    recordChanges: (_, { fields, at }: { fields: AccountField[]; at: string }) =>
      fields.map(field => ({ type: 'AccountChanged' as const, data: { field, at } })),
    requestExport: (a, { export: id, at, guardian = null }: { export: string; at: string; guardian?: string | null }) => {
      if (hasDeletionStarted(a)) throw new CommandRefused('This account is being deleted already.', 'deletion-started')
      if (pendingExport(a, guardian, new Date(at)))
        throw new CommandRefused('Your file is being made. We write to you when it is ready.', 'export-under-way')
      return { type: 'ExportRequested', data: { export: id, at, ...(guardian && { guardian }) } }
    },
    /** Nothing where the account was deleted meanwhile: then the file must go as well. */
    finishExport: (a, made: { export: string; bytes: number; until: string }) => {
      const requestedExport = hasDeletionStarted(a) ? undefined : a.exports.find(e => e.id === made.export && !e.made)
      return requestedExport
        ? { type: 'ExportMade', data: { ...made, ...(requestedExport.guardian && { guardian: requestedExport.guardian }) } }
        : []
    },
    downloadExport: (a, { guardian = null, ...data }: { export: string; at: string; guardian?: string | null }) =>
      availableExport(a, data.export, guardian, new Date(data.at)) ? { type: 'ExportDownloaded', data } : [],
    scheduleDeletion: (a, { due, guardian }: { due: string; guardian?: string }) =>
      a.deletion === 'none' ? { type: 'DeletionScheduled', data: { due, ...(guardian && { guardian }) } } : [],
    /** A guardian said no, and the time to reconsider is over. Twice is like once. */
    expire: (a, { due }: { due: string }) =>
      a.deletion === 'none' ? { type: 'DeletionScheduled', data: { due, cause: 'consent-refused' } } : [],
    /** The account was deleted before, and came back with a backup. */
    deleteAgain: (a, { due }: { due: string }) =>
      hasDeletionStarted(a) || a.isDeletedAgain ? [] : { type: 'DeletionScheduled', data: { due, cause: 'backup-restored' } },
    /** `isMinor`: a player under 18 asks, who cannot keep an account that the guardian wants deleted. */
    cancelDeletion: (a, { isMinor = false }: { isMinor?: boolean }) => {
      if (isMinor && a.isDueByGuardian) {
        throw new CommandRefused(
          'Your parent or guardian asked for this. Only they can keep the account, on their family page.',
          'guardian-asked',
        )
      }
      if (a.isDeletedAgain || hasDeletionStarted(a)) throw new CommandRefused('This account is being deleted already.', 'deletion-started')
      return a.deletion === 'scheduled' ? { type: 'DeletionCanceled', data: {} } : []
    },
    /** `due` is that of the schedule that asks: one that was canceled meanwhile starts nothing. */
    startDeletion: (a, { due }: { due: string }) =>
      a.deletion === 'scheduled' && a.due === due ? { type: 'DeletionStarted', data: {} } : [],
    forget: (a, records: PersonalRecords) => (a.deletion === 'started' ? { type: 'PersonForgotten', data: records } : []),
  },
})

export const accountOf = (store: EventStore, person: string): Promise<Account> => loadState(store, accountDecider, person)

/** @throws CommandRefused where the account is about to be deleted, so that nothing new is begun or bought with it */
export async function assertNoDeletionDue(store: EventStore, person: string): Promise<void> {
  if ((await accountOf(store, person)).deletion === 'none') return
  throw new CommandRefused('Your account is about to be deleted. Keep it first, on the page Your account.', 'deletion-scheduled')
}
