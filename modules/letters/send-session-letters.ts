import { folderReturnedOnConsentLossLetter } from './consent-loss-return-notice-to-player.tsx'
import { feedbackLetter } from './feedback-delivered.tsx'
import { folderAssignedLetter } from './folder-assigned.tsx'
import { folderDeclinedLetter } from './folder-declined.tsx'
import {
  guardianFeedbackLetter,
  guardianFolderAssignedLetter,
  guardianFolderDeclinedLetter,
  guardianFolderReturnedByUsLetter,
  guardianQuestionAnsweredLetter,
  guardianQuestionAskedLetter,
  guardianRatingAnsweredLetter,
  guardianSessionRatedLetter,
} from './guardian-session-updates.tsx'
import type { LetterContent } from './letter-components.tsx'
import type { LetterErrand, LetterSession, PlayerAndInstructor } from './letter-data-source.ts'
import { type LetterSenderHelpers, runAllThenThrow } from './letter-sender-helpers.ts'
import { questionAnsweredLetter } from './question-answered.tsx'
import { questionAskedLetter } from './question-asked.tsx'
import { ratingAnsweredLetter, sessionRatedLetter } from './session-rated-and-rating-answered.tsx'

type Names = PlayerAndInstructor['names']
type GuardianRecipient = Awaited<ReturnType<LetterSenderHelpers['guardianRecipient']>>
type SessionOfFolder = LetterSession & { folderId: string; session: string }

/** Returns the functions that send letters about an assignment: its start, end and feedback, and the question and rating that follow. */
export function sessionLetterSenders({
  facts,
  sender,
  sendLetter,
  sendLetterToPlayer,
  playerAndInstructorOf,
  guardianRecipient,
}: LetterSenderHelpers) {
  /**
   * Returns a function that sends a letter about an assignment to its player or instructor. If the player is a minor, it also sends the
   * guardian a version written for guardians, because guardians see all messages.
   */
  const assignmentLetter =
    (
      to: 'player' | 'instructor',
      write: (s: SessionOfFolder, names: Names) => LetterContent | null,
      writeToGuardian: (s: LetterSession, names: Names & GuardianRecipient) => LetterContent | null,
    ) =>
    async ({ folder, assignment }: { folder: string; assignment: string }, errand: LetterErrand) => {
      const s = await facts.session(folder, assignment)
      const people = s && (await playerAndInstructorOf(s))
      if (!people) return
      // An instructor whose account is closed cannot sign in to read more or to answer.
      if (to === 'instructor' && (await facts.closingReason(people.instructor.id)) !== null) return
      const { player, names } = people
      const greeted = to === 'instructor' ? { ...names, instructor: people.instructor.firstName } : names
      const letter = write({ ...s, folderId: folder, session: assignment }, greeted)
      if (!letter) return
      await runAllThenThrow([
        () => (to === 'player' ? sendLetterToPlayer(errand, player, letter) : sendLetter(errand.id, people.instructor.email, letter)),
        async () => {
          const { guardian } = errand.payload.isMorning ? { guardian: null } : player
          if (!guardian) return
          // A later guardian must not see what an earlier one agreed to pay.
          const sessionForGuardian = { ...s, cost: s.cost?.payer === guardian.id ? s.cost : null }
          // `guardianRecipient` creates a link, so first check, with an empty link, whether there is a letter to send.
          if (!writeToGuardian(sessionForGuardian, { ...names, guardian: guardian.name, url: '' })) return
          // A session that ended without feedback has no page.
          const page = `/family/folder/${folder}${s.reason === null ? `?session=${assignment}` : ''}`
          const toGuardian = writeToGuardian(sessionForGuardian, { ...names, ...(await guardianRecipient(guardian, player, page)) })
          if (toGuardian) await sendLetter(`${errand.id}-guardian`, guardian.email, toGuardian)
        },
      ])
    }

  return {
    'letter.assigned': assignmentLetter(
      'instructor',
      (s, names) => folderAssignedLetter({ ...s, ...names }, sender),
      (s, names) => guardianFolderAssignedLetter({ ...s, ...names }, sender),
    ),
    'letter.declined': assignmentLetter(
      'player',
      (s, names) => {
        if (s.reason === null) return null
        // The letter about the closed account also says that the folders were returned.
        if (s.cause === 'account-closed') return null
        return s.cause
          ? folderReturnedOnConsentLossLetter({ ...s, ...names, cause: s.cause }, sender)
          : folderDeclinedLetter({ ...s, ...names, reason: s.reason }, sender)
      },
      // A guardian whose consent ended knows why the folder was returned. If the account was closed, the guardian gets another letter.
      (s, names) => {
        if (s.reason === null || s.cause) return null
        const write = s.isReturnedByServer ? guardianFolderReturnedByUsLetter : guardianFolderDeclinedLetter
        return write({ ...s, ...names, reason: s.reason })
      },
    ),
    // A paying guardian gets the feedback together with the bill.
    'letter.feedback-given': assignmentLetter(
      'player',
      (s, names) => s.review && feedbackLetter({ ...s, ...names, review: s.review }, sender),
      (s, names) => (s.cost ? null : s.review && guardianFeedbackLetter({ ...s, ...names, review: s.review, bill: null }, sender)),
    ),
    'letter.question': assignmentLetter(
      'instructor',
      (s, names) => (s.question === null ? null : questionAskedLetter({ ...s, ...names, question: s.question }, sender)),
      (s, names) => (s.question === null ? null : guardianQuestionAskedLetter({ ...s, ...names, question: s.question })),
    ),
    'letter.answer': assignmentLetter(
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

    'letter.session-rated': assignmentLetter(
      'instructor',
      (s, names) => s.rating && sessionRatedLetter({ ...s, ...names, rating: s.rating }, sender),
      // Guardians need no letter about what they wrote themselves.
      (s, names) => (s.rating?.rater === 'player' ? guardianSessionRatedLetter({ ...s, ...names, rating: s.rating }) : null),
    ),
    'letter.rating-answered': assignmentLetter(
      'player',
      (s, names) => (s.rating?.answer ? ratingAnsweredLetter({ ...s, ...names, answer: s.rating.answer }, sender) : null),
      (s, names) => (s.rating?.answer ? guardianRatingAnsweredLetter({ ...s, ...names, answer: s.rating.answer }) : null),
    ),
  }
}
