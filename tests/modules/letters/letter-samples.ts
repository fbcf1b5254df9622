import {
  confirmNewEmailLetter,
  emailChangedLetter,
  emailChangeRequestedLetter,
  passwordChangedLetter,
} from '../../../modules/letters/account-changed.tsx'
import { adminInvitationLetter } from '../../../modules/letters/admin-invitation.tsx'
import { answerLetter } from '../../../modules/letters/answer.tsx'
import { adulthoodLetter, guardianshipEndLetter } from '../../../modules/letters/coming-of-age.tsx'
import { confirmEmailLetter } from '../../../modules/letters/confirm-email.tsx'
import { consentRefusedLetter } from '../../../modules/letters/consent-refused.tsx'
import {
  childDeletionLinkLetter,
  childDeletionScheduledLetter,
  deletionByGuardianLetter,
  deletionScheduledLetter,
  guardianDeletionScheduledLetter,
} from '../../../modules/letters/deletion-scheduled.tsx'
import { emailReminderLetter } from '../../../modules/letters/email-reminder.tsx'
import { expiringCheckLetter } from '../../../modules/letters/expiring-check.tsx'
import { childExportReadyLetter, exportReadyLetter } from '../../../modules/letters/export-ready.tsx'
import { failedPaymentLetter } from '../../../modules/letters/failed-payment.tsx'
import { familySignInLetter } from '../../../modules/letters/family-sign-in.tsx'
import { feedbackLetter } from '../../../modules/letters/feedback.tsx'
import { folderAssignedLetter } from '../../../modules/letters/folder-assigned.tsx'
import { folderDeclinedLetter, folderHandedBackLetter } from '../../../modules/letters/folder-declined.tsx'
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
} from '../../../modules/letters/guardian-messages.tsx'
import { heldShareLetter } from '../../../modules/letters/held-share.tsx'
import type { Letter, LetterSender } from '../../../modules/letters/layout.tsx'
import { packageReceiptLetter } from '../../../modules/letters/package-receipt.tsx'
import { packageRefundLetter } from '../../../modules/letters/package-refund.tsx'
import { paymentDueLetter } from '../../../modules/letters/payment-due.tsx'
import { paymentReceiptLetter } from '../../../modules/letters/payment-receipt.tsx'
import { paymentRefundLetter } from '../../../modules/letters/payment-refund.tsx'
import { paymentReminderLetter } from '../../../modules/letters/payment-reminder.tsx'
import { questionLetter } from '../../../modules/letters/question.tsx'
import { resetPasswordLetter } from '../../../modules/letters/reset-password.tsx'
import type { DeliveredReview } from '../../../modules/letters/review-text.tsx'
import { ratingAnswerLetter, sessionRatedLetter } from '../../../modules/letters/session-rated.tsx'
import { supportAnswerLetter } from '../../../modules/letters/support-answer.tsx'
import { upcomingChargeLetter } from '../../../modules/letters/upcoming-charge.tsx'
import {
  instructorApprovedLetter,
  instructorDeclinedLetter,
  instructorReinstatedLetter,
  instructorSuspendedLetter,
} from '../../../modules/letters/vetting-decision.tsx'
import { welcomeLetter } from '../../../modules/letters/welcome.tsx'

export const testSender: LetterSender = {
  name: 'DiamondLink',
  tagline: 'Linking you to your instructor in between your lessons.',
  origin: 'https://ours.test',
  supportEmail: 'support@ours.test',
}
const about = {
  player: 'Ana',
  instructor: 'Kim Lee',
  folder: 'Swings & <bunts>',
  folderId: 'f-1',
  session: 's-1',
  timeZone: 'America/New_York',
}
const items = [
  { label: 'Feedback session', cents: 1500 },
  { label: 'Media Service Fee: 2 videos', cents: 100 },
  { label: 'Referral discount: 10%', cents: -150 },
]
const label = { id: 'l-1', tool: 'text', color: 0, width: 40, p: [5000, 5000], text: 'Closed', from: 3, hold: 1, fade: 0 } as const
const drawn = { ...label, p: [...label.p] }
const side = { folder: 'f-1', video: 'v-1', origin: 3, offset: 0, scale: 1 }
const review: DeliveredReview = {
  summary: 'Good load, late hands.',
  notes: [
    { id: 'n-1', video: 'v-1', at: 61_200, kind: 'technique', text: 'Let it travel.', shapes: [drawn], voice: 'o-1' },
    { id: 'n-2', video: 'v-1', at: 62_000, kind: 'drill', text: 'Deep tee.', link: 'https://tee.test/deep' },
    { id: 'n-3', video: 'v-1', at: 63_000, kind: 'tip', text: '', voice: 'o-2' },
  ],
  grades: [
    { skill: 'hitting', grade: 45 },
    { skill: 'fielding', grade: 55 },
  ],
  goals: [
    { id: 'g-1', text: 'Shoulder closed', state: 'fixed' },
    { id: 'g-2', text: 'Turn the hip', state: 'given' },
  ],
  voices: ['o-1', 'o-2'].map(id => ({ id, video: 'v-1', frame: 0, milliseconds: 900, bytes: 9, type: 'audio/mp4', actions: [] })),
  comparisons: [{ id: 'c-1', title: 'Then and now', sides: [side, { ...side, shapes: [drawn] }], mode: 'side', stretch: false }],
}
const due = '2026-03-08T12:00:00.000Z'
const card = 'Visa ending in 4242'
const family = '/family/folder/f-1?session=s-1&token=secret'
const read = { ...about, guardian: 'Maria', url: testSender.origin + family }

/** A sample of each letter by the name of its errand, with the URL of its button. */
const rating = { stars: 4, comment: 'Clear, and quick.', rater: 'player' as const, answer: null }

export const letters: Record<string, { letter: Letter; leadsTo?: string }> = {
  assigned: {
    letter: folderAssignedLetter({ ...about, instructor: 'Kim', videos: 2, message: 'Am I late?\nLook at my hands.' }, testSender),
    leadsTo: '/instructor/folder/f-1?session=s-1',
  },
  'assigned, for the guardian': {
    letter: guardianAssignmentLetter(
      { ...read, videos: 2, message: 'Am I late?', cost: { total: 1450, atMost: 2500, withinLimit: true }, checks: 'identity, May 2026' },
      testSender,
    ),
    leadsTo: family,
  },
  'assigned without a message, for the guardian': {
    letter: guardianAssignmentLetter({ ...read, videos: 1, message: null, cost: null, checks: null }, testSender),
    leadsTo: family,
  },
  declined: { letter: folderDeclinedLetter({ ...about, reason: 'I am away until May.' }, testSender), leadsTo: '/player/folder/f-1' },
  'declined, for the guardian': { letter: guardianDeclineLetter({ ...read, reason: 'I am away until May.' }), leadsTo: family },
  'feedback-given': {
    letter: feedbackLetter({ ...about, review }, testSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'feedback-given, for the guardian': {
    letter: guardianFeedbackLetter({ ...read, review, bill: null, checks: null }, testSender),
    leadsTo: family,
  },
  'payment-due, for the guardian': {
    letter: guardianFeedbackLetter(
      { ...read, review, bill: { items, total: 1450, due, timeZone: 'America/New_York', card }, checks: 'identity, May 2026' },
      testSender,
    ),
    leadsTo: family,
  },
  'declined, as the consent was withdrawn': {
    letter: folderHandedBackLetter({ ...about, cause: 'consent-withdrawn' }, testSender),
    leadsTo: '/player/folder/f-1',
  },
  'declined, as the guardian changed': {
    letter: folderHandedBackLetter({ ...about, cause: 'guardian-changed' }, testSender),
    leadsTo: '/player/folder/f-1',
  },
  'feedback-given, in one sentence': {
    letter: feedbackLetter({ ...about, review: { summary: 'Good.', notes: [], grades: [] } }, testSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  question: { letter: questionLetter({ ...about, question: 'How late?' }, testSender), leadsTo: '/instructor/folder/f-1?session=s-1' },
  'question, for the guardian': { letter: guardianQuestionLetter({ ...read, question: 'How late?' }), leadsTo: family },
  'answer, for the guardian': { letter: guardianAnswerLetter({ ...read, question: 'How late?', answer: 'Two frames.' }), leadsTo: family },
  answer: {
    letter: answerLetter({ ...about, question: 'How late?', answer: 'Two frames.' }, testSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'session-rated': { letter: sessionRatedLetter({ ...about, rating }, testSender), leadsTo: '/instructor/folder/f-1?session=s-1' },
  'session-rated, by the guardian': {
    letter: sessionRatedLetter({ ...about, rating: { ...rating, comment: null, rater: 'guardian' } }, testSender),
    leadsTo: '/instructor/folder/f-1?session=s-1',
  },
  'session-rated, for the guardian': { letter: guardianRatingLetter({ ...read, rating }), leadsTo: family },
  'rating-answered': {
    letter: ratingAnswerLetter({ ...about, answer: 'Thank you.' }, testSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'rating-answered, for the guardian': { letter: guardianRatingAnswerLetter({ ...read, answer: 'Thank you.' }), leadsTo: family },
  'payment-due': {
    letter: paymentDueLetter({ ...about, items, total: 1450, due, card }, testSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'payment-reminder': {
    letter: paymentReminderLetter({ ...about, total: 1450, due, card }, testSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'charge-coming': {
    letter: upcomingChargeLetter({ ...about, total: 1450, due, card }, testSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'charge-coming, without a card': {
    letter: upcomingChargeLetter({ ...about, total: 1450, due, card: null }, testSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  receipt: {
    letter: paymentReceiptLetter({ ...about, number: 'DL-260301-0A1B2C3D', items, tip: 300, paid: 1750, at: due, card }, testSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  "receipt, on New Year's Eve": {
    letter: paymentReceiptLetter(
      { ...about, number: 'DL-261231-0A1B2C3D', items, tip: 0, paid: 1450, at: '2027-01-01T03:00:00.000Z', card },
      testSender,
    ),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'package-receipt': {
    letter: packageReceiptLetter(
      {
        player: 'Ana',
        label: 'Triple',
        folders: 3,
        paid: 4200,
        at: due,
        timeZone: 'America/New_York',
        card,
        number: 'DL-260308-0A1B2C3D',
        purchase: 'b-1',
      },
      testSender,
    ),
    leadsTo: '/player/payment?receipt=b-1',
  },
  'package-refunded': {
    letter: packageRefundLetter(
      { player: 'Ana', label: 'Triple', amount: 1400, card: null, reason: 'The season is over.', left: 1 },
      testSender,
    ),
    leadsTo: '/player/payment',
  },
  'payment-failed': {
    letter: failedPaymentLetter(
      { ...about, amount: 1450, card, why: 'This card has expired. Pay with another card.', by: 'schedule' },
      testSender,
    ),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  refunded: {
    letter: paymentRefundLetter({ ...about, amount: 1450, card, reason: 'The wrong folder was reviewed.' }, testSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'share-held': {
    letter: heldShareLetter({ ...about, instructor: 'Kim', share: 1500, waiting: 1500, started: false }, testSender),
    leadsTo: '/instructor/payments',
  },
  'share-held, after another': {
    letter: heldShareLetter({ ...about, instructor: 'Kim', share: 1500, waiting: 2700, started: true }, testSender),
    leadsTo: '/instructor/payments',
  },
  'support-answered': {
    letter: supportAnswerLetter(
      { name: 'Ana', asked: 'My video stops at 0:12.', answer: 'Upload it again, please. It works now.' },
      testSender,
    ),
    leadsTo: '/support',
  },
  'consent refused': {
    letter: consentRefusedLetter({ player: 'Ana', deletedAt: '2026-06-01T16:00:00.000Z', timeZone: 'America/New_York' }, testSender),
    leadsTo: '/support',
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
  'guardian changed, for the guardian': { letter: guardianChangedLetter(read, testSender), leadsTo: family },
  'guardian, of a name that may be a message': {
    letter: guardianConsentLetter({ guardian: 'Maria', player: 'Win a car today', token: 'secret', takesOver: false }, testSender),
    leadsTo: '/guardian/secret',
  },
  'family-sign-in': {
    letter: familySignInLetter({ guardian: 'Maria', token: 'secret', page: '/family', minutes: 60 }, testSender),
    leadsTo: '/family?token=secret',
  },
  'confirm-email': {
    letter: confirmEmailLetter({ name: 'Kim', token: 'secret', days: 7 }, testSender),
    leadsTo: '/confirm-email?token=secret',
  },
  'instructor-approved': { letter: instructorApprovedLetter({ instructor: 'Kim' }, testSender), leadsTo: '/instructor/dashboard' },
  'instructor-reinstated': { letter: instructorReinstatedLetter({ instructor: 'Kim' }, testSender), leadsTo: '/instructor/dashboard' },
  'instructor-declined': {
    letter: instructorDeclinedLetter({ instructor: 'Kim', reason: 'The references did not know you.' }, testSender),
    leadsTo: '/instructor/profile-editor',
  },
  'instructor-suspended': {
    letter: instructorSuspendedLetter({ instructor: 'Kim', reason: 'A parent wrote to us.' }, testSender),
    leadsTo: '/instructor/dashboard',
  },
  'check-expiring': {
    letter: expiringCheckLetter({ instructor: 'Kim', check: 'background check', expires: '2026-06-30' }, testSender),
    leadsTo: '/support',
  },
  'reset-password': {
    letter: resetPasswordLetter({ name: 'Ana', token: 'secret', minutes: 60 }, testSender),
    leadsTo: '/reset-password?token=secret',
  },
  'your-email': {
    letter: emailReminderLetter({ name: 'Ana', email: 'ana+ball@example.com' }, testSender),
    leadsTo: '/auth?redirect=login&email=ana%2Bball%40example.com',
  },
  'admin-invitation': {
    letter: adminInvitationLetter({ inviter: 'Jo Park', token: 'secret', days: 7 }, testSender),
    leadsTo: '/admin/register?token=secret',
  },
  'account becomes the player’s own': { letter: adulthoodLetter({ player: 'Ana', day: '2026-12-09' }, testSender), leadsTo: '/account' },
  'guardianship ends': {
    letter: guardianshipEndLetter({ guardian: 'Pat', player: 'Ana', day: '2026-12-09' }, testSender),
    leadsTo: '/family',
  },
  'confirm-new-email': {
    letter: confirmNewEmailLetter({ name: 'Ana', token: 'secret', hours: 24 }, testSender),
    leadsTo: '/change-email?token=secret',
  },
  'email-change-asked': { letter: emailChangeRequestedLetter({ name: 'Ana' }, testSender), leadsTo: '/account' },
  'email-changed': {
    letter: emailChangedLetter({ name: 'Ana', token: 'secret', days: 7 }, testSender),
    leadsTo: '/restore-email?token=secret',
  },
  'password-changed': { letter: passwordChangedLetter({ name: 'Ana' }, testSender), leadsTo: '/forgot-password' },
  'export-ready': {
    letter: exportReadyLetter({ name: 'Ana', until: '2026-12-09T17:00:00.000Z', timeZone: 'America/New_York' }, testSender),
    leadsTo: '/account#your-data',
  },
  'export ready, for the guardian': {
    letter: childExportReadyLetter({ ...read, until: '2026-12-09T17:00:00.000Z' }, testSender),
    leadsTo: family,
  },
  'deletion scheduled': {
    letter: deletionScheduledLetter({ name: 'Ana', due: '2026-12-09T17:00:00.000Z', timeZone: 'America/New_York' }, testSender),
    leadsTo: '/account',
  },
  'deletion scheduled by the guardian': {
    letter: deletionByGuardianLetter({ name: 'Ana', due: '2026-12-09T17:00:00.000Z', timeZone: 'America/New_York' }, testSender),
    leadsTo: '/account',
  },
  'deletion scheduled by the guardian, for the guardian': {
    letter: childDeletionScheduledLetter({ ...read, due: '2026-12-09T17:00:00.000Z' }, testSender),
    leadsTo: family,
  },
  'child deletion link, for the guardian': {
    letter: childDeletionLinkLetter({ ...read, minutes: 60 }, testSender),
    leadsTo: family,
  },
  'deletion scheduled, for the guardian': {
    letter: guardianDeletionScheduledLetter({ ...read, due: '2026-12-09T17:00:00.000Z' }, testSender),
    leadsTo: family,
  },
  'welcome, player': { letter: welcomeLetter({ name: 'Ana', role: 'player' }, testSender), leadsTo: '/player/dashboard' },
  'welcome, instructor': { letter: welcomeLetter({ name: 'Kim', role: 'instructor' }, testSender), leadsTo: '/instructor/dashboard' },
}
