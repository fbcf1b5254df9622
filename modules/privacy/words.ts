import { asText, type Words } from '../words.ts'
import type { AccountEvent } from './account.ts'

export const accountWords: Words<AccountEvent> = {
  DeletionScheduled: { audit: d => `asked for the account to be deleted on ${asText(d.due).slice(0, 10)}` },
  DeletionCanceled: { audit: () => 'kept the account' },
  DeletionStarted: { audit: () => 'began to delete an account whose time was over' },
  PersonForgotten: { audit: () => 'deleted the account, and all words and files of its owner' },
}
