import type { AccountEvent } from './account-exports-and-deletion-decider.ts'
import type { PersonalTextFields } from './get-and-set-texts-by-path.ts'

/** The reason for which an administrator closed an account is encrypted with the key of its owner. */
export const accountPersonalTextFields: PersonalTextFields<AccountEvent> = {
  stream: 'account',
  person: 'id',
  fields: {
    AccountRegistered: [],
    ExportRequested: [],
    ExportMade: [],
    ExportDownloaded: [],
    AccountChanged: [],
    DeletionScheduled: ['reason'],
    DeletionCanceled: [],
    DeletionStarted: [],
    PersonForgotten: [],
  },
}
