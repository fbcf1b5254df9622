import type { ErrandHandler } from '../kernel/outbox.ts'
import type { LetterDeps, letterSenders } from './send-letters.ts'

type Kind = keyof ReturnType<typeof letterSenders>
const kinds: Record<Kind, true> = {
  'letter.admin-invitation': true,
  'letter.answer': true,
  'letter.approval-asked': true,
  'letter.assigned': true,
  'letter.charge-coming': true,
  'letter.check-expiring': true,
  'letter.coming-of-age': true,
  'letter.confirm-email': true,
  'letter.confirm-new-email': true,
  'letter.declined': true,
  'letter.family-sign-in': true,
  'letter.deletion-scheduled': true,
  'letter.email-change-asked': true,
  'letter.email-changed': true,
  'letter.export-ready': true,
  'letter.feedback-given': true,
  'letter.guardian': true,
  'letter.instructor-approved': true,
  'letter.instructor-declined': true,
  'letter.instructor-reinstated': true,
  'letter.instructor-suspended': true,
  'letter.package-receipt': true,
  'letter.package-refunded': true,
  'letter.password-changed': true,
  'letter.payment-due': true,
  'letter.payment-failed': true,
  'letter.payment-reminder': true,
  'letter.question': true,
  'letter.receipt': true,
  'letter.refunded': true,
  'letter.reset-password': true,
  'letter.session-agreed': true,
  'letter.share-held': true,
  'letter.support-answered': true,
  'letter.welcome': true,
  'letter.your-email': true,
}

/** What performs each letter. What draws them weighs 30 MB, so it is loaded with the first one. */
export function letterErrands(desk: LetterDeps): Record<string, ErrandHandler> {
  let loaded: Promise<ReturnType<typeof letterSenders>> | undefined
  const load = () => import('./send-letters.ts').then(module => module.letterSenders(desk))
  const perform =
    (kind: Kind): ErrandHandler =>
    async (payload, errand) => {
      loaded ??= load()
      return (await loaded)[kind](payload, { id: errand.id, kind, payload })
    }
  return Object.fromEntries((Object.keys(kinds) as Kind[]).map(kind => [kind, perform(kind)]))
}
