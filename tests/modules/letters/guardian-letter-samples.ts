import { guardianshipEndLetter } from '../../../modules/letters/coming-of-age.tsx'
import { consentRefusedLetter } from '../../../modules/letters/consent-refused.tsx'
import {
  childDeletionLinkLetter,
  childDeletionScheduledLetter,
  deletionByGuardianLetter,
  guardianDeletionScheduledLetter,
} from '../../../modules/letters/deletion-scheduled.tsx'
import { childExportReadyLetter } from '../../../modules/letters/export-ready.tsx'
import { familySignInLetter } from '../../../modules/letters/family-sign-in.tsx'
import { folderHandedBackLetter } from '../../../modules/letters/folder-declined.tsx'
import { guardianChangedLetter } from '../../../modules/letters/guardian-changed.tsx'
import { guardianConsentLetter } from '../../../modules/letters/guardian-consent.tsx'
import {
  guardianAnswerLetter,
  guardianAssignmentLetter,
  guardianDeclineLetter,
  guardianFeedbackLetter,
  guardianQuestionLetter,
  guardianRatingAnswerLetter,
  guardianRatingLetter,
} from '../../../modules/letters/guardian-session-updates.tsx'
import { sessionRatedLetter } from '../../../modules/letters/session-rated.tsx'
import {
  billItems,
  cardName,
  dueDate,
  familyPath,
  guardianSession,
  type LetterSamples,
  sampleRating,
  sampleReview,
  sampleSession,
  testSender,
} from './letter-sample-data.ts'

/** Letters to guardians, and about them. */
export const guardianLetterSamples: LetterSamples = {
  'assigned, for the guardian': {
    letter: guardianAssignmentLetter(
      {
        ...guardianSession,
        videos: 2,
        message: 'Am I late?',
        cost: { total: 1450, atMost: 2500, withinLimit: true },
        checks: 'identity, May 2026',
      },
      testSender,
    ),
    leadsTo: familyPath,
  },
  'assigned without a message, for the guardian': {
    letter: guardianAssignmentLetter({ ...guardianSession, videos: 1, message: null, cost: null, checks: null }, testSender),
    leadsTo: familyPath,
  },
  'declined, for the guardian': {
    letter: guardianDeclineLetter({ ...guardianSession, reason: 'I am away until May.' }),
    leadsTo: familyPath,
  },
  'feedback-given, for the guardian': {
    letter: guardianFeedbackLetter({ ...guardianSession, review: sampleReview, bill: null, checks: null }, testSender),
    leadsTo: familyPath,
  },
  'payment-due, for the guardian': {
    letter: guardianFeedbackLetter(
      {
        ...guardianSession,
        review: sampleReview,
        bill: { items: billItems, total: 1450, due: dueDate, timeZone: 'America/New_York', card: cardName },
        checks: 'identity, May 2026',
      },
      testSender,
    ),
    leadsTo: familyPath,
  },
  'declined, as the guardian changed': {
    letter: folderHandedBackLetter({ ...sampleSession, cause: 'guardian-changed' }, testSender),
    leadsTo: '/player/folder/f-1',
  },
  'question, for the guardian': { letter: guardianQuestionLetter({ ...guardianSession, question: 'How late?' }), leadsTo: familyPath },
  'answer, for the guardian': {
    letter: guardianAnswerLetter({ ...guardianSession, question: 'How late?', answer: 'Two frames.' }),
    leadsTo: familyPath,
  },
  'session-rated, by the guardian': {
    letter: sessionRatedLetter({ ...sampleSession, rating: { ...sampleRating, comment: null, rater: 'guardian' } }, testSender),
    leadsTo: '/instructor/folder/f-1?session=s-1',
  },
  'session-rated, for the guardian': { letter: guardianRatingLetter({ ...guardianSession, rating: sampleRating }), leadsTo: familyPath },
  'rating-answered, for the guardian': {
    letter: guardianRatingAnswerLetter({ ...guardianSession, answer: 'Thank you.' }),
    leadsTo: familyPath,
  },
  'consent refused, after a change of guardian': {
    letter: consentRefusedLetter({ player: 'Ana', deletedAt: null, timeZone: 'America/New_York' }, testSender),
    leadsTo: '/support',
  },
  guardian: {
    letter: guardianConsentLetter({ guardian: 'Maria', player: 'Ana', token: 'secret', takesOver: false }, testSender),
    leadsTo: '/guardian/secret',
  },
  'guardian, after another one': {
    letter: guardianConsentLetter({ guardian: 'Maria', player: 'Ana', token: 'secret', takesOver: true }, testSender),
    leadsTo: '/guardian/secret',
  },
  'guardian changed, for the guardian': { letter: guardianChangedLetter(guardianSession, testSender), leadsTo: familyPath },
  'guardian, of a name that may be a message': {
    letter: guardianConsentLetter({ guardian: 'Maria', player: 'Win a car today', token: 'secret', takesOver: false }, testSender),
    leadsTo: '/guardian/secret',
  },
  'family-sign-in': {
    letter: familySignInLetter({ guardian: 'Maria', token: 'secret', page: '/family', minutes: 60 }, testSender),
    leadsTo: '/family?token=secret',
  },
  'guardianship ends': {
    letter: guardianshipEndLetter({ guardian: 'Pat', player: 'Ana', day: '2026-12-09' }, testSender),
    leadsTo: '/family',
  },
  'export ready, for the guardian': {
    letter: childExportReadyLetter({ ...guardianSession, until: '2026-12-09T17:00:00.000Z' }, testSender),
    leadsTo: familyPath,
  },
  'deletion scheduled by the guardian': {
    letter: deletionByGuardianLetter({ name: 'Ana', due: '2026-12-09T17:00:00.000Z', timeZone: 'America/New_York' }, testSender),
    leadsTo: '/account',
  },
  'deletion scheduled by the guardian, for the guardian': {
    letter: childDeletionScheduledLetter({ ...guardianSession, due: '2026-12-09T17:00:00.000Z' }, testSender),
    leadsTo: familyPath,
  },
  'child deletion link, for the guardian': {
    letter: childDeletionLinkLetter({ ...guardianSession, minutes: 60 }, testSender),
    leadsTo: familyPath,
  },
  'deletion scheduled, for the guardian': {
    letter: guardianDeletionScheduledLetter({ ...guardianSession, due: '2026-12-09T17:00:00.000Z' }, testSender),
    leadsTo: familyPath,
  },
}
