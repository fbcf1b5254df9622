import { type EventSentences, textOrEmpty } from '../event-sentence-types.ts'
import type { AccountEvent } from './account-exports-and-deletion-decider.ts'

export const accountEventSentences: EventSentences<AccountEvent> = {
  AccountRegistered: {
    audit: d => `registered as ${d.role === 'player' ? 'a player' : d.role === 'instructor' ? 'an instructor' : 'an administrator'}`,
  },
  AccountChanged: { audit: d => `changed their ${textOrEmpty(d.field) === 'email' ? 'email address' : textOrEmpty(d.field)}` },
  ExportRequested: {
    audit: (d, owner = 'a child') => `asked for a file with all personal data${d.guardian ? ` of ${owner}` : ''}`,
  },
  ExportMade: {
    subject: 'none',
    audit: d => `The file with all personal data was created and can be downloaded until ${textOrEmpty(d.until).slice(0, 10)}`,
  },
  ExportDownloaded: { audit: () => 'downloaded the file with all personal data' },
  DeletionScheduled: {
    audit: (d, owner) =>
      d.cause === 'closed'
        ? `closed the account of ${owner ?? 'a person'}: “${textOrEmpty(d.reason)}”`
        : d.cause === 'consent-refused'
          ? 'ended the account of a player whose parent or guardian had refused consent'
          : d.cause === 'backup-restored'
            ? 'began to delete again an account that a restored backup had brought back'
            : `asked for the account${d.guardian ? ` of ${owner ?? 'a child'}` : ''} to be deleted on ${textOrEmpty(d.due).slice(0, 10)}`,
  },
  DeletionCanceled: { audit: (d, owner = 'a person') => (d.isReopened ? `opened the account of ${owner} again` : 'kept the account') },
  DeletionStarted: { subject: 'none', audit: () => 'The deletion of an account started, because nobody canceled it in time' },
  PersonForgotten: { subject: 'none', audit: () => "An account was deleted, with all of its owner's text and files" },
}
