import type { ErrandHandler } from '../jobs/outbox.ts'
import { LETTER_RECIPIENTS_AND_OCCASIONS, type LetterKind } from './letter-recipients-and-occasions.ts'
import type { LetterDependencies } from './letter-sender-helpers.ts'
import type { letterSenders } from './letter-senders-by-errand-kind.ts'

/** The errand handlers of all letters. The templates take 30 MB of memory, so they are loaded only when the first letter is sent. */
export function letterErrandHandlers(deps: LetterDependencies): Record<string, ErrandHandler> {
  let loaded: Promise<ReturnType<typeof letterSenders>> | undefined
  const load = () => import('./letter-senders-by-errand-kind.ts').then(module => module.letterSenders(deps))
  const perform =
    (kind: LetterKind): ErrandHandler =>
    async (payload, errand) => {
      loaded ??= load()
      return (await loaded)[kind](payload, { id: errand.id, kind, payload })
    }
  return Object.fromEntries((Object.keys(LETTER_RECIPIENTS_AND_OCCASIONS) as LetterKind[]).map(kind => [kind, perform(kind)]))
}
