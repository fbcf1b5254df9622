import type { CheckKind, VettingStatus } from '../instructors/contract.ts'
import { CHECK_NAMES } from '../vetting/event-sentences.ts'
import { expiringCheckLetter } from './expiring-check.tsx'
import { heldInstructorShareLetter } from './held-instructor-share.tsx'
import type { LetterContent } from './letter-components.tsx'
import type { LetterErrand } from './letter-data-source.ts'
import { createLetterSender, type LetterDependencies } from './letter-sender-helpers.ts'
import { accountLetterSenders } from './send-account-letters.ts'
import { payerLetterSenders } from './send-payer-letters.ts'
import { sessionLetterSenders } from './send-session-letters.ts'
import { supportAnswerLetter } from './support-answer.tsx'
import {
  instructorApprovedLetter,
  instructorDeclinedLetter,
  instructorReinstatedLetter,
  instructorSuspendedLetter,
} from './vetting-status-change.tsx'
import { videoRefusedLetter } from './video-refused.tsx'
/** Returns the functions that send letters, by errand kind. An errand's id is the idempotency key, so a repeated letter arrives once. */
export function letterSenders(deps: LetterDependencies) {
  const context = createLetterSender(deps)
  const { facts, sender, sendLetter, sendLetterToPlayer, playerAndInstructorOf } = context

  /**
   * Returns a function that sends a letter about an instructor's vetting status, unless the status has changed since the errand was
   * created. A `status` of null means approved or pending.
   */
  const vettingStatusLetter =
    (status: VettingStatus | null, write: (instructor: string, reason: string) => LetterContent) =>
    async ({ instructor }: { instructor: string }, { id }: LetterErrand) => {
      const [person, vetted] = await Promise.all([facts.person(instructor), facts.vetting(instructor)])
      const stands = status === null ? vetted.status === 'approved' || vetted.status === 'pending' : vetted.status === status
      if (person && stands) await sendLetter(id, person.email, write(person.firstName, vetted.reason ?? ''))
    }

  return {
    ...sessionLetterSenders(context),
    ...payerLetterSenders(context),
    ...accountLetterSenders(deps.sql, context),

    'letter.share-held': async ({ payment }: { payment: string }, { id }: LetterErrand) => {
      const bill = await facts.bill(payment)
      const people = bill && (await playerAndInstructorOf(bill))
      const held = people && (await facts.heldShare(bill.instructor, payment))
      if (!held) return
      const { player, instructor } = people
      const { reminders, token } = await facts.preferences(bill.instructor)
      const names = { player: player.firstName, instructor: instructor.firstName }
      const isAccountClosed = (await facts.closingReason(bill.instructor)) !== null
      const letter = heldInstructorShareLetter({ ...bill, ...held, ...names, isAccountClosed }, sender)
      if (reminders) await sendLetter(id, instructor.email, letter, token)
    },
    'letter.support-answered': async ({ request, event }: { request: string; event?: string }, errand: LetterErrand) => {
      const about = await facts.supportRequest(request, event)
      const person = about && (await facts.person(about.by))
      if (person) await sendLetterToPlayer(errand, person, supportAnswerLetter({ ...about, name: person.firstName }, sender))
    },
    'letter.video-refused': async ({ folder, video }: { folder: string; video: string }, errand: LetterErrand) => {
      const refused = await facts.refusedVideo(folder, video)
      const person = refused && (await facts.person(refused.player))
      if (!person) return
      await sendLetterToPlayer(errand, person, videoRefusedLetter({ ...refused, player: person.firstName, folderId: folder }, sender))
    },
    'letter.instructor-approved': vettingStatusLetter('approved', instructor => instructorApprovedLetter({ instructor }, sender)),
    'letter.instructor-reinstated': vettingStatusLetter(null, instructor => instructorReinstatedLetter({ instructor }, sender)),
    'letter.instructor-declined': vettingStatusLetter('declined', (instructor, reason) =>
      instructorDeclinedLetter({ instructor, reason }, sender),
    ),
    'letter.instructor-suspended': vettingStatusLetter('suspended', (instructor, reason) =>
      instructorSuspendedLetter({ instructor, reason }, sender),
    ),
    // Skip the letter if the check has been renewed or withdrawn in the meantime.
    'letter.check-expiring': async (p: { instructor: string; check: CheckKind; expires: string }, { id }: LetterErrand) => {
      const [person, vetted] = await Promise.all([facts.person(p.instructor), facts.vetting(p.instructor)])
      if (!person || vetted.checks[p.check]?.expires !== p.expires) return
      await sendLetter(
        id,
        person.email,
        expiringCheckLetter({ instructor: person.firstName, check: CHECK_NAMES[p.check], expires: p.expires }, sender),
      )
    },
  }
}
