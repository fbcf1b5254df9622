import {
  accountClosedLetter,
  accountReopenedLetter,
  childAccountClosedLetter,
  childAccountReopenedLetter,
} from '../../../modules/letters/account-closed-or-reopened-by-admin.tsx'
import { adminInvitationLetter } from '../../../modules/letters/admin-invitation.tsx'
import { comingOfAgeNoticeLetter } from '../../../modules/letters/coming-of-age.tsx'
import { confirmEmailLetter } from '../../../modules/letters/confirm-email.tsx'
import { consentRefusedLetter } from '../../../modules/letters/consent-refused.tsx'
import { deletionScheduledLetter } from '../../../modules/letters/deletion-requests.tsx'
import {
  confirmNewEmailLetter,
  emailChangedLetter,
  emailChangeWarningLetter,
  passwordChangedLetter,
} from '../../../modules/letters/email-and-password-changes.tsx'
import { expiringCheckLetter } from '../../../modules/letters/expiring-check.tsx'
import { exportReadyLetter } from '../../../modules/letters/export-ready.tsx'
import { forgottenEmailLetter } from '../../../modules/letters/forgotten-email.tsx'
import { resetPasswordLetter } from '../../../modules/letters/reset-password.tsx'
import { supportAnswerLetter } from '../../../modules/letters/support-answer.tsx'
import {
  instructorApprovedLetter,
  instructorDeclinedLetter,
  instructorReinstatedLetter,
  instructorSuspendedLetter,
} from '../../../modules/letters/vetting-status-change.tsx'
import { welcomeLetter } from '../../../modules/letters/welcome.tsx'
import { type LetterSamples, sampleSender } from './letter-sample-data.ts'

const sampleClosing = { due: '2026-12-09T17:00:00.000Z', reason: 'Threats to another player.', timeZone: 'America/New_York' }
const sampleGuardian = { guardian: 'Maria', player: 'Ana', url: 'https://ours.test/family/children/p-1?token=secret' }

/** Letters about accounts, support and the vetting of instructors. */
export const accountLetterSamples: LetterSamples = {
  'support-answered': {
    letter: supportAnswerLetter(
      { name: 'Ana', asked: 'My video stops at 0:12.', answer: 'Upload it again, please. It works now.' },
      sampleSender,
    ),
    leadsTo: '/support',
  },
  'support answered an automatic request': {
    letter: supportAnswerLetter({ name: 'Ana', asked: null, answer: 'Please name your other parent.' }, sampleSender),
    leadsTo: '/support',
  },
  'consent refused': {
    letter: consentRefusedLetter({ player: 'Ana', deletedAt: '2026-06-01T16:00:00.000Z', timeZone: 'America/New_York' }, sampleSender),
    leadsTo: '/support',
  },
  'confirm-email': {
    letter: confirmEmailLetter({ name: 'Kim', token: 'secret', days: 7 }, sampleSender),
    leadsTo: '/confirm-email?token=secret',
  },
  'instructor-approved': { letter: instructorApprovedLetter({ instructor: 'Kim' }, sampleSender), leadsTo: '/instructor/dashboard' },
  'instructor-reinstated': { letter: instructorReinstatedLetter({ instructor: 'Kim' }, sampleSender), leadsTo: '/instructor/dashboard' },
  'instructor-declined': {
    letter: instructorDeclinedLetter({ instructor: 'Kim', reason: 'The references did not know you.' }, sampleSender),
    leadsTo: '/instructor/profile-editor',
  },
  'instructor-suspended': {
    letter: instructorSuspendedLetter({ instructor: 'Kim', reason: 'A parent wrote to us.' }, sampleSender),
    leadsTo: '/instructor/dashboard',
  },
  'check-expiring': {
    letter: expiringCheckLetter({ instructor: 'Kim', check: 'background check', expires: '2026-06-30' }, sampleSender),
    leadsTo: '/support',
  },
  'reset-password': {
    letter: resetPasswordLetter({ name: 'Ana', token: 'secret', minutes: 60 }, sampleSender),
    leadsTo: '/reset-password?token=secret',
  },
  'your-email': {
    letter: forgottenEmailLetter({ name: 'Ana', email: 'ana+ball@example.com' }, sampleSender),
    leadsTo: '/auth?redirect=login&email=ana%2Bball%40example.com',
  },
  'admin-invitation': {
    letter: adminInvitationLetter({ inviter: 'Jo Park', token: 'secret', days: 7 }, sampleSender),
    leadsTo: '/admin/register?token=secret',
  },
  'account becomes the player’s own': {
    letter: comingOfAgeNoticeLetter({ player: 'Ana', day: '2026-12-09' }, sampleSender),
    leadsTo: '/account',
  },
  'confirm-new-email': {
    letter: confirmNewEmailLetter({ name: 'Ana', token: 'secret', hours: 24 }, sampleSender),
    leadsTo: '/change-email?token=secret',
  },
  'email-change-asked': { letter: emailChangeWarningLetter({ name: 'Ana' }, sampleSender), leadsTo: '/account' },
  'email-changed': {
    letter: emailChangedLetter({ name: 'Ana', token: 'secret', days: 7 }, sampleSender),
    leadsTo: '/restore-email?token=secret',
  },
  'password-changed': { letter: passwordChangedLetter({ name: 'Ana' }, sampleSender), leadsTo: '/forgot-password' },
  'export-ready': {
    letter: exportReadyLetter({ name: 'Ana', until: '2026-12-09T17:00:00.000Z', timeZone: 'America/New_York' }, sampleSender),
    leadsTo: '/account#your-data',
  },
  'deletion scheduled': {
    letter: deletionScheduledLetter({ name: 'Ana', due: '2026-12-09T17:00:00.000Z', timeZone: 'America/New_York' }, sampleSender),
    leadsTo: '/account',
  },
  'account-closed': {
    letter: accountClosedLetter({ name: 'Ana', role: 'player', ...sampleClosing }, sampleSender),
    leadsTo: '/terms-of-service',
  },
  'account-closed, for the guardian': {
    letter: childAccountClosedLetter({ ...sampleGuardian, ...sampleClosing }, sampleSender),
    leadsTo: '/family/children/p-1?token=secret',
  },
  'account-closed, for an instructor': {
    letter: accountClosedLetter({ name: 'Kim', role: 'instructor', ...sampleClosing }, sampleSender),
    leadsTo: '/terms-of-service',
  },
  'account-reopened': { letter: accountReopenedLetter({ name: 'Ana', role: 'player' }, sampleSender), leadsTo: '/auth' },
  'account-reopened, for the guardian': {
    letter: childAccountReopenedLetter(sampleGuardian, sampleSender),
    leadsTo: '/family/children/p-1?token=secret',
  },
  'welcome, player': { letter: welcomeLetter({ name: 'Ana', role: 'player' }, sampleSender), leadsTo: '/player/dashboard' },
  'welcome, instructor': { letter: welcomeLetter({ name: 'Kim', role: 'instructor' }, sampleSender), leadsTo: '/instructor/dashboard' },
}
