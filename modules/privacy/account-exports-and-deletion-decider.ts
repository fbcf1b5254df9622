import { decider, loadState } from '../kernel/decider.ts'
import { CommandRefused, type EventStore } from '../kernel/store.ts'
import { DATA_EXPORT_RETRY_HOURS } from './policy.ts'

/** Ids of the records that read models hold about a person, which are deleted with the person. */
export interface RecordIdsOfPerson {
  folders: string[]
  assignments: string[]
  requests: string[]
  /** Events whose texts can no longer be decrypted. */
  events: string[]
}

/** The fields that people can change in their own account. */
export type ChangeableAccountField = 'name' | 'phone' | 'email' | 'password'

export type AccountRole = 'player' | 'instructor' | 'admin'

/** Stream `account-<user>`. */
export type AccountEvent =
  /** Accounts that were created before this event existed have none. Names and email addresses are stored only in the accounts. */
  | { type: 'AccountRegistered'; data: { role: AccountRole } }
  /** The owner, or the guardian of a minor, requests a file with everything we store about the owner. `at`: ISO 8601. */
  | { type: 'ExportRequested'; data: { export: string; at: string; guardian?: string } }
  /** `until`: when the file is deleted, ISO 8601. `guardian`: the guardian who requested it and is the only one who may download it. */
  | { type: 'ExportMade'; data: { export: string; bytes: number; until: string; guardian?: string } }
  | { type: 'ExportDownloaded'; data: { export: string; at: string } }
  /** The owner changed this field. Its former and new values are stored only in the accounts. `at`: ISO 8601. */
  | { type: 'AccountChanged'; data: { field: ChangeableAccountField; at: string } }
  /**
   * `due`: the time from which the deletion cannot be undone, ISO 8601. `cause`: why the account is deleted if nobody requested it.
   * `guardian`: the guardian who requested it, if that was not the owner. `reason`: why an administrator closed the account.
   */
  | {
      type: 'DeletionScheduled'
      data: { due: string; cause?: 'consent-refused' | 'backup-restored' | 'closed'; guardian?: string; reason?: string }
    }
  /** `isReopened`: an administrator had closed the account and reopened it. */
  | { type: 'DeletionCanceled'; data: { isReopened?: true } }
  | { type: 'DeletionStarted'; data: object }
  /** The person's encryption key is destroyed, and all data that names the person is deleted. The id stays as a pseudonym. */
  | { type: 'PersonForgotten'; data: RecordIdsOfPerson }

export type PersonForgotten = Extract<AccountEvent, { type: 'PersonForgotten' }>

export interface RequestedExport {
  id: string
  requested: string
  /** The guardian who requested it and is the only one who may download it; null if the owner requested it. */
  guardian: string | null
  /** Null while it is being made. */
  made: { bytes: number; until: string } | null
  /** When it was last downloaded. */
  downloaded: string | null
}

export interface AccountPrivacyState {
  /** The role with which the owner registered; null if the log does not have it. */
  role: AccountRole | null
  /** Files with everything we store about the owner, the oldest first. */
  exports: RequestedExport[]
  /** When the owner last changed each field, ISO 8601. */
  changed: Partial<Record<ChangeableAccountField, string>>
  /** When the account will be deleted; null if no deletion is scheduled. */
  due: string | null
  /** Whether the guardian requested the scheduled deletion. */
  isDueByGuardian: boolean
  /** Whether the account was deleted before and a restored backup brought it back. Then it is deleted again, and nobody can cancel that. */
  isDeletedAgain: boolean
  /** Why an administrator closed the account, whose owner can no longer sign in; null if it is not closed. */
  closingReason: string | null
  /** `started`: the deletion can no longer be canceled, and the data is being deleted. */
  deletion: 'none' | 'scheduled' | 'started' | 'done'
}

const withExport = (a: AccountPrivacyState, id: string, more: Partial<RequestedExport>): AccountPrivacyState => ({
  ...a,
  exports: a.exports.map(e => (e.id === id ? { ...e, ...more } : e)),
})
/** Whether the deletion of this account has begun, so that no new data may be added to it. */
export const hasDeletionStarted = ({ deletion }: Pick<AccountPrivacyState, 'deletion'>) => deletion === 'started' || deletion === 'done'

/**
 * The export that is being made for this guardian, or for the owner (null); undefined if there is none, or if it has been unfinished for so
 * long that another one may be requested.
 */
export const pendingExport = ({ exports }: AccountPrivacyState, guardian: string | null, now: Date): RequestedExport | undefined =>
  exports.find(e => !e.made && e.guardian === guardian && now.getTime() - Date.parse(e.requested) < DATA_EXPORT_RETRY_HOURS * 3600_000)

/** The newest file of this guardian, or of the owner (null), that is being made or can be downloaded; undefined if there is none. */
export const latestExport = (a: AccountPrivacyState, guardian: string | null, now: Date): RequestedExport | undefined =>
  pendingExport(a, guardian, now) ?? a.exports.findLast(({ id }) => availableExport(a, id, guardian, now))

/** The export with this id; undefined if this guardian, or the owner (null), cannot download it now. */
export const availableExport = (
  { exports }: AccountPrivacyState,
  id: string,
  guardian: string | null,
  now: Date,
): RequestedExport | undefined =>
  exports.find(e => e.id === id && e.guardian === guardian && e.made && Date.parse(e.made.until) > now.getTime())

const ACCOUNT_CLOSED_FOR_FAMILY = 'We closed this account, so you cannot keep it. Write to our support team if you think this is a mistake.'

/** An account: its owner's changes, the exports of its data, and its deletion. */
export const accountDecider = decider<AccountPrivacyState, AccountEvent>()({
  stream: 'account',
  initial: {
    role: null,
    exports: [],
    changed: {},
    due: null,
    isDueByGuardian: false,
    isDeletedAgain: false,
    closingReason: null,
    deletion: 'none',
  },
  evolve: {
    AccountRegistered: (a, { role }) => ({ ...a, role }),
    AccountChanged: (a, { field, at }) => ({ ...a, changed: { ...a.changed, [field]: at } }),
    ExportRequested: (a, { export: id, at, guardian = null }) => ({
      ...a,
      exports: [...a.exports, { id, requested: at, guardian, made: null, downloaded: null }],
    }),
    ExportMade: (a, { export: id, bytes, until }) => withExport(a, id, { made: { bytes, until } }),
    ExportDownloaded: (a, { export: id, at }) => withExport(a, id, { downloaded: at }),
    DeletionScheduled: (a, { due, cause, guardian, reason = '' }) => ({
      ...a,
      due,
      isDueByGuardian: guardian !== undefined,
      isDeletedAgain: cause === 'backup-restored',
      // A closed account that a backup brings back stays closed.
      closingReason: cause === 'closed' ? reason : cause === 'backup-restored' ? a.closingReason : null,
      deletion: 'scheduled',
    }),
    // Servers of an earlier release let the owners of closed accounts cancel the deletion. Such an event has no effect.
    DeletionCanceled: (a, { isReopened }) =>
      a.closingReason !== null && !isReopened ? a : { ...a, due: null, isDueByGuardian: false, closingReason: null, deletion: 'none' },
    DeletionStarted: a => ({ ...a, deletion: 'started' }),
    PersonForgotten: a => ({ ...a, deletion: 'done' }),
  },
  decide: {
    register: (a, { role }: { role: AccountRole }) =>
      a.role || hasDeletionStarted(a) ? [] : { type: 'AccountRegistered', data: { role } },
    recordChanges: (_, { fields, at }: { fields: ChangeableAccountField[]; at: string }) =>
      fields.map(field => ({ type: 'AccountChanged' as const, data: { field, at } })),
    requestExport: (a, { export: id, at, guardian = null }: { export: string; at: string; guardian?: string | null }) => {
      if (hasDeletionStarted(a)) throw new CommandRefused('This account is already being deleted.', 'deletion-started')
      if (pendingExport(a, guardian, new Date(at)))
        throw new CommandRefused('We are creating your file. We will email you when it is ready.', 'export-under-way')
      return { type: 'ExportRequested', data: { export: id, at, ...(guardian && { guardian }) } }
    },
    /** No event if the account's deletion has begun in the meantime; the caller then has to delete the file. */
    finishExport: (a, made: { export: string; bytes: number; until: string }) => {
      const requestedExport = hasDeletionStarted(a) ? undefined : a.exports.find(e => e.id === made.export && !e.made)
      return requestedExport
        ? { type: 'ExportMade', data: { ...made, ...(requestedExport.guardian && { guardian: requestedExport.guardian }) } }
        : []
    },
    downloadExport: (a, { guardian = null, ...data }: { export: string; at: string; guardian?: string | null }) =>
      availableExport(a, data.export, guardian, new Date(data.at)) ? { type: 'ExportDownloaded', data } : [],
    /**
     * A deletion that is already scheduled stays as it is, except that a guardian's request replaces the owner's without changing the
     * due time: from then on, a minor cannot cancel the deletion. A closed account stays closed.
     */
    scheduleDeletion: (a, { due, guardian }: { due: string; guardian?: string }) => {
      if (a.deletion === 'none') return { type: 'DeletionScheduled', data: { due, ...(guardian && { guardian }) } }
      const isTakenOver = a.deletion === 'scheduled' && guardian && !a.isDueByGuardian && !a.isDeletedAgain && a.closingReason === null
      return isTakenOver ? { type: 'DeletionScheduled', data: { due: a.due!, guardian } } : []
    },
    /** Schedules the deletion after a guardian refused consent and the time to reconsider has passed. Idempotent. */
    expire: (a, { due }: { due: string }) =>
      a.deletion === 'none' ? { type: 'DeletionScheduled', data: { due, cause: 'consent-refused' } } : [],
    /** Schedules the deletion of an account that was deleted before and came back with a restored backup. */
    deleteAgain: (a, { due }: { due: string }) =>
      hasDeletionStarted(a) || a.isDeletedAgain ? [] : { type: 'DeletionScheduled', data: { due, cause: 'backup-restored' } },
    /**
     * Closes the account, for a reason that its owner can read. It is deleted at `due`; until then, only administrators can reopen it.
     * Replaces a deletion that somebody else has scheduled, and keeps its time if that is earlier. Idempotent.
     */
    close: (a, { due, reason }: { due: string; reason: string }) => {
      if (a.isDeletedAgain || hasDeletionStarted(a)) throw new CommandRefused('This account is already being deleted.', 'deletion-started')
      if (a.closingReason !== null) return []
      return { type: 'DeletionScheduled', data: { due: a.due !== null && a.due < due ? a.due : due, cause: 'closed', reason } }
    },
    /** Reopens an account that an administrator had closed. Idempotent. */
    reopen: a => {
      if (hasDeletionStarted(a)) throw new CommandRefused('This account is already being deleted.', 'deletion-started')
      return a.closingReason === null ? [] : { type: 'DeletionCanceled', data: { isReopened: true } }
    },
    /** `isMinor`: the caller is under 18 and cannot cancel a deletion that the guardian requested. */
    cancelDeletion: (a, { isMinor = false }: { isMinor?: boolean }) => {
      if (isMinor && a.isDueByGuardian) {
        throw new CommandRefused(
          'Your parent or guardian asked for this. Only they can keep the account, on their family page.',
          'guardian-asked',
        )
      }
      if (a.closingReason !== null) throw new CommandRefused(ACCOUNT_CLOSED_FOR_FAMILY, 'account-closed')
      if (a.isDeletedAgain || hasDeletionStarted(a)) throw new CommandRefused('This account is already being deleted.', 'deletion-started')
      return a.deletion === 'scheduled' ? { type: 'DeletionCanceled', data: {} } : []
    },
    /** `due` identifies the scheduled deletion: if it has been canceled in the meantime, nothing starts. */
    startDeletion: (a, { due }: { due: string }) =>
      a.deletion === 'scheduled' && a.due === due ? { type: 'DeletionStarted', data: {} } : [],
    forget: (a, records: RecordIdsOfPerson) => (a.deletion === 'started' ? { type: 'PersonForgotten', data: records } : []),
  },
})

export const loadAccountPrivacyState = (store: EventStore, person: string): Promise<AccountPrivacyState> =>
  loadState(store, accountDecider, person)

/** The field of a dashboard's reply that says when this account will be deleted; an empty object if no deletion is scheduled. */
export async function deletionDueReplyField(store: EventStore, person: string): Promise<{ deletionDue?: string }> {
  const { due } = await loadAccountPrivacyState(store, person)
  return due === null ? {} : { deletionDue: due }
}

/** The refusal if an account is closed or its deletion is scheduled, worded for the guardian of `child` or for the account's owner. */
function scheduledDeletionMessage({
  child,
  isMinor,
  isDueByGuardian,
  closingReason,
}: { child?: string; isMinor?: boolean } & Pick<AccountPrivacyState, 'isDueByGuardian' | 'closingReason'>) {
  if (closingReason !== null) return child ? `We closed ${child}'s account.` : 'We closed your account.'
  if (child) return `${child}'s account is scheduled for deletion. To continue, first keep it on ${child}'s page.`
  if (isMinor && isDueByGuardian)
    return 'Your parent or guardian asked for your account to be deleted. Only they can keep it, on their family page.'
  return 'Your account is scheduled for deletion. To continue, first keep it on your account page.'
}

/**
 * @param reader who reads the refusal: a guardian, if the first name of the `child` is given, otherwise the person, who may be a minor
 * @throws CommandRefused if the account's deletion is scheduled or has begun, so that nothing new is begun or bought with it
 */
export async function assertNoDeletionScheduled(
  store: EventStore,
  person: string,
  reader: { child?: string; isMinor?: boolean } = {},
): Promise<void> {
  const account = await loadAccountPrivacyState(store, person)
  if (account.deletion !== 'none') throw new CommandRefused(scheduledDeletionMessage({ ...account, ...reader }), 'deletion-scheduled')
}
