import { confirmNewEmail, emailChangeAsked, emailChanged, passwordChanged } from '../../../modules/letters/account-changed.tsx'
import { adminInvitation } from '../../../modules/letters/admin-invitation.tsx'
import { chargeComing } from '../../../modules/letters/charge-coming.tsx'
import { checkExpiring } from '../../../modules/letters/check-expiring.tsx'
import { accountBecomesOwn, guardianshipEnds } from '../../../modules/letters/coming-of-age.tsx'
import { confirmEmail } from '../../../modules/letters/confirm-email.tsx'
import { deletionScheduled, guardianDeletionScheduled } from '../../../modules/letters/deletion-scheduled.tsx'
import { emailReminder } from '../../../modules/letters/email-reminder.tsx'
import { exportReady } from '../../../modules/letters/export-ready.tsx'
import { familySignIn } from '../../../modules/letters/family-sign-in.tsx'
import { feedbackGiven } from '../../../modules/letters/feedback-given.tsx'
import { folderAssigned } from '../../../modules/letters/folder-assigned.tsx'
import { folderDeclined } from '../../../modules/letters/folder-declined.tsx'
import { guardianChanged } from '../../../modules/letters/guardian-changed.tsx'
import { guardianConsent } from '../../../modules/letters/guardian-consent.tsx'
import {
  guardianAnswer,
  guardianAssigned,
  guardianDeclined,
  guardianFeedback,
  guardianQuestion,
  guardianRated,
  guardianRatingAnswered,
} from '../../../modules/letters/guardian-messages.tsx'
import {
  instructorApproved,
  instructorDeclined,
  instructorReinstated,
  instructorSuspended,
} from '../../../modules/letters/instructor-vetted.tsx'
import type { Letter, Sender } from '../../../modules/letters/layout.tsx'
import { packageReceipt } from '../../../modules/letters/package-receipt.tsx'
import { packageRefunded } from '../../../modules/letters/package-refunded.tsx'
import { paymentDue } from '../../../modules/letters/payment-due.tsx'
import { paymentFailed } from '../../../modules/letters/payment-failed.tsx'
import { paymentReceipt } from '../../../modules/letters/payment-receipt.tsx'
import { paymentRefunded } from '../../../modules/letters/payment-refunded.tsx'
import { paymentReminder } from '../../../modules/letters/payment-reminder.tsx'
import { questionAnswered } from '../../../modules/letters/question-answered.tsx'
import { questionAsked } from '../../../modules/letters/question-asked.tsx'
import { resetPassword } from '../../../modules/letters/reset-password.tsx'
import type { DeliveredReview } from '../../../modules/letters/review-text.tsx'
import { ratingAnswered, sessionRated } from '../../../modules/letters/session-rated.tsx'
import { shareHeld } from '../../../modules/letters/share-held.tsx'
import { supportAnswered } from '../../../modules/letters/support-answered.tsx'
import { welcome } from '../../../modules/letters/welcome.tsx'

export const house: Sender = {
  name: 'DiamondLink',
  tagline: 'Linking you to your instructor in between your lessons.',
  origin: 'https://ours.test',
  supportEmail: 'support@ours.test',
}
const about = { player: 'Ana', instructor: 'Kim Lee', folder: 'Swings & <bunts>', folderId: 'f-1', session: 's-1' }
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
const read = { ...about, guardian: 'Maria', url: house.origin + family }

/** One of each, by the name of its errand, with the address it leads to. */
const rating = { stars: 4, comment: 'Clear, and quick.', rater: 'player' as const, answer: null }

export const letters: Record<string, { letter: Letter; leadsTo?: string }> = {
  assigned: {
    letter: folderAssigned({ ...about, instructor: 'Kim', videos: 2, message: 'Am I late?\nLook at my hands.' }, house),
    leadsTo: '/instructor/folder/f-1?session=s-1',
  },
  'assigned, for the guardian': {
    letter: guardianAssigned({ ...read, videos: 2, message: 'Am I late?' }),
    leadsTo: family,
  },
  'assigned without a message, for the guardian': { letter: guardianAssigned({ ...read, videos: 1, message: null }), leadsTo: family },
  declined: { letter: folderDeclined({ ...about, reason: 'I am away until May.' }, house), leadsTo: '/player/folder/f-1' },
  'declined, for the guardian': { letter: guardianDeclined({ ...read, reason: 'I am away until May.' }), leadsTo: family },
  'feedback-given': {
    letter: feedbackGiven({ ...about, review }, house),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'feedback-given, for the guardian': {
    letter: guardianFeedback({ ...read, review }),
    leadsTo: family,
  },
  'feedback-given, in one sentence': {
    letter: feedbackGiven({ ...about, review: { summary: 'Good.', notes: [], grades: [] } }, house),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  question: { letter: questionAsked({ ...about, question: 'How late?' }, house), leadsTo: '/instructor/folder/f-1?session=s-1' },
  'question, for the guardian': { letter: guardianQuestion({ ...read, question: 'How late?' }), leadsTo: family },
  'answer, for the guardian': { letter: guardianAnswer({ ...read, question: 'How late?', answer: 'Two frames.' }), leadsTo: family },
  answer: {
    letter: questionAnswered({ ...about, question: 'How late?', answer: 'Two frames.' }, house),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'session-rated': { letter: sessionRated({ ...about, rating }, house), leadsTo: '/instructor/folder/f-1?session=s-1' },
  'session-rated, by the guardian': {
    letter: sessionRated({ ...about, rating: { ...rating, comment: null, rater: 'guardian' } }, house),
    leadsTo: '/instructor/folder/f-1?session=s-1',
  },
  'session-rated, for the guardian': { letter: guardianRated({ ...read, rating }), leadsTo: family },
  'rating-answered': { letter: ratingAnswered({ ...about, answer: 'Thank you.' }, house), leadsTo: '/player/folder/f-1?session=s-1' },
  'rating-answered, for the guardian': { letter: guardianRatingAnswered({ ...read, answer: 'Thank you.' }), leadsTo: family },
  'payment-due': { letter: paymentDue({ ...about, items, total: 1450, due, card }, house), leadsTo: '/player/folder/f-1?session=s-1' },
  'payment-reminder': { letter: paymentReminder({ ...about, total: 1450, due, card }, house), leadsTo: '/player/folder/f-1?session=s-1' },
  'charge-coming': { letter: chargeComing({ ...about, total: 1450, due, card }, house), leadsTo: '/player/folder/f-1?session=s-1' },
  'charge-coming, without a card': {
    letter: chargeComing({ ...about, total: 1450, due, card: null }, house),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  receipt: {
    letter: paymentReceipt({ ...about, number: 'DL-260301-0A1B2C3D', items, tip: 300, paid: 1750, at: due, card }, house),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  "receipt, on New Year's Eve": {
    letter: paymentReceipt(
      { ...about, number: 'DL-261231-0A1B2C3D', items, tip: 0, paid: 1450, at: '2027-01-01T03:00:00.000Z', card },
      house,
    ),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'package-receipt': {
    letter: packageReceipt(
      { player: 'Ana', label: 'Triple', folders: 3, paid: 4200, at: due, card, number: 'DL-260308-0A1B2C3D', purchase: 'b-1' },
      house,
    ),
    leadsTo: '/player/payment?receipt=b-1',
  },
  'package-refunded': {
    letter: packageRefunded({ player: 'Ana', label: 'Triple', amount: 1400, card: null, reason: 'The season is over.', left: 1 }, house),
    leadsTo: '/player/payment',
  },
  'payment-failed': {
    letter: paymentFailed({ ...about, amount: 1450, card, why: 'This card has expired. Pay with another card.', by: 'schedule' }, house),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  refunded: {
    letter: paymentRefunded({ ...about, amount: 1450, card, reason: 'The wrong folder was reviewed.' }, house),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'share-held': {
    letter: shareHeld({ ...about, instructor: 'Kim', share: 1500, waiting: 1500, started: false }, house),
    leadsTo: '/instructor/payments',
  },
  'share-held, after another': {
    letter: shareHeld({ ...about, instructor: 'Kim', share: 1500, waiting: 2700, started: true }, house),
    leadsTo: '/instructor/payments',
  },
  'support-answered': {
    letter: supportAnswered({ name: 'Ana', asked: 'My video stops at 0:12.', answer: 'Upload it again, please. It works now.' }, house),
    leadsTo: '/support',
  },
  guardian: {
    letter: guardianConsent({ guardian: 'Maria', player: 'Ana', token: 'secret', takesOver: false }, house),
    leadsTo: '/guardian/secret',
  },
  'guardian, after another one': {
    letter: guardianConsent({ guardian: 'Maria', player: 'Ana', token: 'secret', takesOver: true }, house),
    leadsTo: '/guardian/secret',
  },
  'guardian changed, for the guardian': { letter: guardianChanged(read, house), leadsTo: family },
  'guardian, of a name that may be a message': {
    letter: guardianConsent({ guardian: 'Maria', player: 'Win a car today', token: 'secret', takesOver: false }, house),
    leadsTo: '/guardian/secret',
  },
  'family-sign-in': {
    letter: familySignIn({ guardian: 'Maria', token: 'secret', page: '/family', minutes: 60 }, house),
    leadsTo: '/family?token=secret',
  },
  'confirm-email': { letter: confirmEmail({ name: 'Kim', token: 'secret', days: 7 }, house), leadsTo: '/confirm-email?token=secret' },
  'instructor-approved': { letter: instructorApproved({ instructor: 'Kim' }, house), leadsTo: '/instructor/dashboard' },
  'instructor-reinstated': { letter: instructorReinstated({ instructor: 'Kim' }, house), leadsTo: '/instructor/dashboard' },
  'instructor-declined': {
    letter: instructorDeclined({ instructor: 'Kim', reason: 'The references did not know you.' }, house),
    leadsTo: '/instructor/profile-editor',
  },
  'instructor-suspended': {
    letter: instructorSuspended({ instructor: 'Kim', reason: 'A parent wrote to us.' }, house),
    leadsTo: '/instructor/dashboard',
  },
  'check-expiring': {
    letter: checkExpiring({ instructor: 'Kim', check: 'background check', expires: '2026-06-30' }, house),
    leadsTo: '/support',
  },
  'reset-password': {
    letter: resetPassword({ name: 'Ana', token: 'secret', minutes: 60 }, house),
    leadsTo: '/reset-password?token=secret',
  },
  'your-email': {
    letter: emailReminder({ name: 'Ana', email: 'ana+ball@example.com' }, house),
    leadsTo: '/auth?redirect=login&email=ana%2Bball%40example.com',
  },
  'admin-invitation': {
    letter: adminInvitation({ inviter: 'Jo Park', token: 'secret', days: 7 }, house),
    leadsTo: '/admin/register?token=secret',
  },
  'account becomes the player’s own': { letter: accountBecomesOwn({ player: 'Ana', day: '2026-12-09' }, house), leadsTo: '/account' },
  'guardianship ends': { letter: guardianshipEnds({ guardian: 'Pat', player: 'Ana', day: '2026-12-09' }, house), leadsTo: '/family' },
  'confirm-new-email': {
    letter: confirmNewEmail({ name: 'Ana', token: 'secret', hours: 24 }, house),
    leadsTo: '/change-email?token=secret',
  },
  'email-change-asked': { letter: emailChangeAsked({ name: 'Ana' }, house), leadsTo: '/account' },
  'email-changed': { letter: emailChanged({ name: 'Ana', token: 'secret', days: 7 }, house), leadsTo: '/restore-email?token=secret' },
  'password-changed': { letter: passwordChanged({ name: 'Ana' }, house), leadsTo: '/forgot-password' },
  'export-ready': { letter: exportReady({ name: 'Ana', until: '2026-12-09T17:00:00.000Z' }, house), leadsTo: '/account#your-data' },
  'deletion scheduled': { letter: deletionScheduled({ name: 'Ana', due: '2026-12-09T17:00:00.000Z' }, house), leadsTo: '/account' },
  'deletion scheduled, for the guardian': {
    letter: guardianDeletionScheduled({ ...read, due: '2026-12-09T17:00:00.000Z' }, house),
    leadsTo: family,
  },
  'welcome, player': { letter: welcome({ name: 'Ana', role: 'player' }, house), leadsTo: '/player/dashboard' },
  'welcome, instructor': { letter: welcome({ name: 'Kim', role: 'instructor' }, house), leadsTo: '/instructor/dashboard' },
}
