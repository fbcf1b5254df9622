import { asText, type Words } from '../words.ts'
import type { AccountEvent } from './account.ts'

export const accountWords: Words<AccountEvent> = {
  AccountChanged: { audit: d => `changed the own ${asText(d.field) === 'email' ? 'email address' : asText(d.field)}` },
  DeletionScheduled: {
    audit: d =>
      d.cause === 'consent-refused'
        ? 'ended the account of a player whose parent or guardian had refused consent'
        : `asked for the account to be deleted on ${asText(d.due).slice(0, 10)}`,
  },
  DeletionCanceled: { audit: () => 'kept the account' },
  DeletionStarted: { subject: 'none', audit: () => 'The deletion of an account began, as nobody had stopped it in time' },
  PersonForgotten: { subject: 'none', audit: () => 'An account was deleted, with all words and files of its owner' },
}
