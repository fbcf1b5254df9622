import { feedbackLetter } from './feedback-delivered.tsx'
import { folderAssignedLetter } from './folder-assigned.tsx'
import { folderDeclinedLetter } from './folder-declined.tsx'
import { folderReturnedOnConsentLossLetter } from './folder-returned-on-consent-loss.tsx'
import {
  guardianAssignmentLetter,
  guardianFeedbackLetter,
  guardianFolderDeclinedLetter,
  guardianQuestionAnsweredLetter,
  guardianQuestionAskedLetter,
  guardianRatingAnsweredLetter,
  guardianSessionRatedLetter,
} from './guardian-session-updates.tsx'
import type { LetterContent } from './letter-components.tsx'
import type { LetterErrand, LetterSession, PlayerAndInstructor } from './letter-data-types.ts'
import { type LetterSenderContext, runAllThenThrow } from './letter-sender-context.ts'
import { questionAnsweredLetter } from './question-answered.tsx'
import { questionLetter } from './question-asked.tsx'
import { ratingAnswerLetter, sessionRatedLetter } from './rating-letters.tsx'

type Names = PlayerAndInstructor['names']
type GuardianRecipient = Awaited<ReturnType<LetterSenderContext['guardianRecipient']>>
type SessionOfFolder = LetterSession & { folderId: string; session: string }

/** The senders of letters about an assignment: its start, end and feedback, and the question and rating after it. */
export function sessionLetterSenders({ facts, sender, post, postToPlayer, both, guardianRecipient }: LetterSenderContext) {
  /**
   * A letter about an assignment, to its player or instructor. The guardian of a minor gets a version of their own, because guardians see
   * all messages.
   */
  const passing =
    (
      to: 'player' | 'instructor',
      write: (s: SessionOfFolder, names: Names) => LetterContent | null,
      writeToGuardian: (s: LetterSession, names: Names & GuardianRecipient) => LetterContent | null,
    ) =>
    async ({ folder, assignment }: { folder: string; assignment: string }, about: LetterErrand) => {
      const s = await facts.session(folder, assignment)
      const between = s && (await both(s))
      if (!between) return
      const { player, names } = between
      const greeted = to === 'instructor' ? { ...names, instructor: between.instructor.firstName } : names
      const letter = write({ ...s, folderId: folder, session: assignment }, greeted)
      if (!letter) return
      await runAllThenThrow([
        () => (to === 'player' ? postToPlayer(about, player, letter) : post(about.id, between.instructor.email, letter)),
        async () => {
          const { guardian } = about.payload.isMorning ? { guardian: null } : player
          if (!guardian) return
          // A later guardian must not see what an earlier one agreed to pay. The link is created only if the letter is written.
          const sessionForGuardian = { ...s, cost: s.cost?.payer === guardian.id ? s.cost : null }
          if (!writeToGuardian(sessionForGuardian, { ...names, guardian: guardian.name, url: '' })) return
          // A session that ended without feedback has no page.
          const page = `/family/folder/${folder}${s.reason === null ? `?session=${assignment}` : ''}`
          const toGuardian = writeToGuardian(sessionForGuardian, { ...names, ...(await guardianRecipient(guardian, player, page)) })
          if (toGuardian) await post(`${about.id}-guardian`, guardian.email, toGuardian)
        },
      ])
    }

  return {
    'letter.assigned': passing(
      'instructor',
      (s, names) => folderAssignedLetter({ ...s, ...names }, sender),
      (s, names) => guardianAssignmentLetter({ ...s, ...names }, sender),
    ),
    // A guardian whose consent ended already knows why the folder came back.
    'letter.declined': passing(
      'player',
      (s, names) => {
        if (s.reason === null) return null
        return s.cause
          ? folderReturnedOnConsentLossLetter({ ...s, ...names, cause: s.cause }, sender)
          : folderDeclinedLetter({ ...s, ...names, reason: s.reason }, sender)
      },
      (s, names) => (s.reason === null || s.cause ? null : guardianFolderDeclinedLetter({ ...s, ...names, reason: s.reason })),
    ),
    // A paying guardian gets the feedback together with the bill.
    'letter.feedback-given': passing(
      'player',
      (s, names) => s.review && feedbackLetter({ ...s, ...names, review: s.review }, sender),
      (s, names) => (s.cost ? null : s.review && guardianFeedbackLetter({ ...s, ...names, review: s.review, bill: null }, sender)),
    ),
    'letter.question': passing(
      'instructor',
      (s, names) => (s.question === null ? null : questionLetter({ ...s, ...names, question: s.question }, sender)),
      (s, names) => (s.question === null ? null : guardianQuestionAskedLetter({ ...s, ...names, question: s.question })),
    ),
    'letter.answer': passing(
      'player',
      (s, names) =>
        s.question === null || s.answer === null
          ? null
          : questionAnsweredLetter({ ...s, ...names, question: s.question, answer: s.answer }, sender),
      (s, names) =>
        s.question === null || s.answer === null
          ? null
          : guardianQuestionAnsweredLetter({ ...s, ...names, question: s.question, answer: s.answer }),
    ),

    'letter.session-rated': passing(
      'instructor',
      (s, names) => s.rating && sessionRatedLetter({ ...s, ...names, rating: s.rating }, sender),
      // Guardians need no letter about what they wrote themselves.
      (s, names) => (s.rating?.rater === 'player' ? guardianSessionRatedLetter({ ...s, ...names, rating: s.rating }) : null),
    ),
    'letter.rating-answered': passing(
      'player',
      (s, names) => (s.rating?.answer ? ratingAnswerLetter({ ...s, ...names, answer: s.rating.answer }, sender) : null),
      (s, names) => (s.rating?.answer ? guardianRatingAnsweredLetter({ ...s, ...names, answer: s.rating.answer }) : null),
    ),
  }
}
