import { guardianComingOfAgeNoticeLetter } from '../../../modules/letters/coming-of-age.tsx'
import { folderReturnedOnConsentLossLetter } from '../../../modules/letters/consent-loss-return-notice-to-player.tsx'
import { consentRefusedLetter } from '../../../modules/letters/consent-refused.tsx'
import {
  childDeletionLinkLetter,
  childDeletionScheduledLetter,
  deletionByChildLetter,
  deletionByGuardianLetter,
} from '../../../modules/letters/deletion-requests.tsx'
import { childExportReadyLetter } from '../../../modules/letters/export-ready.tsx'
import { familySignInLinkLetter } from '../../../modules/letters/family-sign-in-link.tsx'
import { guardianConsentRequestLetter } from '../../../modules/letters/guardian-consent-request.tsx'
import { guardianReplacedLetter } from '../../../modules/letters/guardian-replaced.tsx'
import {
  guardianFeedbackLetter,
  guardianFolderAssignedLetter,
  guardianFolderDeclinedLetter,
  guardianFolderReturnedByUsLetter,
  guardianQuestionAnsweredLetter,
  guardianQuestionAskedLetter,
  guardianRatingAnsweredLetter,
  guardianSessionRatedLetter,
} from '../../../modules/letters/guardian-session-updates.tsx'
import { sessionRatedLetter } from '../../../modules/letters/session-rated-and-rating-answered.tsx'
import {
  type LetterSamples,
  sampleBillItems,
  sampleCardName,
  sampleDeliveredReview,
  sampleDueDate,
  sampleFamilyPath,
  sampleGuardianSessionProps,
  sampleRating,
  sampleSender,
  sampleSessionProps,
} from './letter-sample-data.ts'

/** Letters to guardians, and about them. */
export const guardianLetterSamples: LetterSamples = {
  'assigned, for the guardian': {
    letter: guardianFolderAssignedLetter(
      {
        ...sampleGuardianSessionProps,
        videos: 2,
        message: 'Am I late?',
        cost: { total: 1450, atMost: 2500, withinLimit: true },
        checks: 'identity, May 2026',
      },
      sampleSender,
    ),
    leadsTo: sampleFamilyPath,
  },
  'assigned without a message, for the guardian': {
    letter: guardianFolderAssignedLetter(
      { ...sampleGuardianSessionProps, videos: 1, message: null, cost: null, checks: null },
      sampleSender,
    ),
    leadsTo: sampleFamilyPath,
  },
  'declined, for the guardian': {
    letter: guardianFolderDeclinedLetter({ ...sampleGuardianSessionProps, reason: 'I am away until May.' }),
    leadsTo: sampleFamilyPath,
  },
  'declined by us, for the guardian': {
    letter: guardianFolderReturnedByUsLetter({ ...sampleGuardianSessionProps, reason: 'This instructor is leaving DiamondLink.' }),
    leadsTo: sampleFamilyPath,
  },
  'feedback-given, for the guardian': {
    letter: guardianFeedbackLetter(
      { ...sampleGuardianSessionProps, review: sampleDeliveredReview, videoIds: ['v-1'], bill: null, checks: null },
      sampleSender,
    ),
    leadsTo: sampleFamilyPath,
  },
  'payment-due, for the guardian': {
    letter: guardianFeedbackLetter(
      {
        ...sampleGuardianSessionProps,
        review: sampleDeliveredReview,
        videoIds: ['v-2', 'v-1'],
        bill: { items: sampleBillItems, total: 1450, due: sampleDueDate, timeZone: 'America/New_York', card: sampleCardName },
        checks: 'identity, May 2026',
      },
      sampleSender,
    ),
    leadsTo: sampleFamilyPath,
  },
  'review stopped, as the guardian changed': {
    letter: folderReturnedOnConsentLossLetter({ ...sampleSessionProps, cause: 'guardian-changed' }, sampleSender),
    leadsTo: '/player/folder/f-1',
  },
  'question, for the guardian': {
    letter: guardianQuestionAskedLetter({ ...sampleGuardianSessionProps, question: 'How late?' }),
    leadsTo: sampleFamilyPath,
  },
  'answer, for the guardian': {
    letter: guardianQuestionAnsweredLetter({ ...sampleGuardianSessionProps, question: 'How late?', answer: 'Two frames.' }),
    leadsTo: sampleFamilyPath,
  },
  'session-rated, by the guardian': {
    letter: sessionRatedLetter({ ...sampleSessionProps, rating: { ...sampleRating, comment: null, rater: 'guardian' } }, sampleSender),
    leadsTo: '/instructor/folder/f-1?session=s-1',
  },
  'session-rated, for the guardian': {
    letter: guardianSessionRatedLetter({ ...sampleGuardianSessionProps, rating: sampleRating }),
    leadsTo: sampleFamilyPath,
  },
  'rating-answered, for the guardian': {
    letter: guardianRatingAnsweredLetter({ ...sampleGuardianSessionProps, answer: 'Thank you.' }),
    leadsTo: sampleFamilyPath,
  },
  'consent refused, after a change of guardian': {
    letter: consentRefusedLetter({ player: 'Ana', deletedAt: null, timeZone: 'America/New_York' }, sampleSender),
    leadsTo: '/support',
  },
  guardian: {
    letter: guardianConsentRequestLetter({ guardian: 'Maria', player: 'Ana', token: 'secret', takesOver: false }, sampleSender),
    leadsTo: '/guardian/secret',
  },
  'guardian, after another one': {
    letter: guardianConsentRequestLetter({ guardian: 'Maria', player: 'Ana', token: 'secret', takesOver: true }, sampleSender),
    leadsTo: '/guardian/secret',
  },
  'guardian changed, for the guardian': {
    letter: guardianReplacedLetter(sampleGuardianSessionProps, sampleSender),
    leadsTo: sampleFamilyPath,
  },
  'guardian, of a name that may be a message': {
    letter: guardianConsentRequestLetter({ guardian: 'Maria', player: 'Win a car today', token: 'secret', takesOver: false }, sampleSender),
    leadsTo: '/guardian/secret',
  },
  'family-sign-in': {
    letter: familySignInLinkLetter({ guardian: 'Maria', token: 'secret', page: '/family', minutes: 60 }, sampleSender),
    leadsTo: '/family?token=secret',
  },
  'guardianship ends': {
    letter: guardianComingOfAgeNoticeLetter({ ...sampleGuardianSessionProps, day: '2026-12-09' }, sampleSender),
    leadsTo: sampleFamilyPath,
  },
  'export ready, for the guardian': {
    letter: childExportReadyLetter({ ...sampleGuardianSessionProps, until: '2026-12-09T17:00:00.000Z' }, sampleSender),
    leadsTo: sampleFamilyPath,
  },
  'deletion scheduled by the guardian': {
    letter: deletionByGuardianLetter({ name: 'Ana', due: '2026-12-09T17:00:00.000Z', timeZone: 'America/New_York' }, sampleSender),
    leadsTo: '/account',
  },
  'deletion scheduled by the guardian, for the guardian': {
    letter: childDeletionScheduledLetter({ ...sampleGuardianSessionProps, due: '2026-12-09T17:00:00.000Z' }, sampleSender),
    leadsTo: sampleFamilyPath,
  },
  'child deletion link, for the guardian': {
    letter: childDeletionLinkLetter({ ...sampleGuardianSessionProps, minutes: 60 }, sampleSender),
    leadsTo: sampleFamilyPath,
  },
  'deletion scheduled, for the guardian': {
    letter: deletionByChildLetter({ ...sampleGuardianSessionProps, due: '2026-12-09T17:00:00.000Z' }, sampleSender),
    leadsTo: sampleFamilyPath,
  },
}
