import type { AccountEvent } from './account-exports-and-deletion-decider.ts'
import type { PersonalTextFields } from './get-and-set-texts-by-path.ts'

/** When an administrator closes an account, the reason is encrypted with the account owner's key. */
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
