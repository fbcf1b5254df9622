import type { ErrandHandler } from '../jobs/outbox.ts'
import { LETTER_RECIPIENTS_AND_OCCASIONS, type LetterKind } from './letter-recipients-and-occasions.ts'
import type { LetterDependencies } from './letter-sender-helpers.ts'
import type { letterSenders } from './letter-senders-by-errand-kind.ts'
import type { Email } from './resend-mailer.ts'

/** The errand handlers of all letters. The templates take 30 MB of memory, so they are loaded only when the first letter is sent. */
export function letterErrandHandlers(deps: LetterDependencies): Record<string, ErrandHandler> {
  let loaded: Promise<{ letterSenders: typeof letterSenders }> | undefined
  const perform =
    (kind: LetterKind): ErrandHandler =>
    async (payload, errand) => {
      loaded ??= import('./letter-senders-by-errand-kind.ts')
      const sent: string[] = []
      const send = async (email: Email) => {
        await deps.mail.send(email)
        sent.push(email.id)
      }
      const senders = (await loaded).letterSenders({ ...deps, mail: { send } })
      try {
        await senders[kind](payload, { id: errand.id, kind, payload })
      } finally {
        await deps.recordSent(errand.id, sent)
      }
    }
  return Object.fromEntries((Object.keys(LETTER_RECIPIENTS_AND_OCCASIONS) as LetterKind[]).map(kind => [kind, perform(kind)]))
}
