import type postgres from 'postgres'
import { erasePlainTokenAfterEmailSent, findLinkForUnsentLetter } from '../accounts/emailed-links.ts'
import { EMAILED_LINK_MINUTES } from '../accounts/policy.ts'
import {
  accountClosedLetter,
  accountReopenedLetter,
  childAccountClosedLetter,
  childAccountReopenedLetter,
} from './account-closed-or-reopened-by-admin.tsx'
import { adminInvitationLetter } from './admin-invitation.tsx'
import { comingOfAgeNoticeLetter, guardianComingOfAgeNoticeLetter } from './coming-of-age.tsx'
import { confirmEmailLetter } from './confirm-email.tsx'
import { consentRefusedLetter } from './consent-refused.tsx'
import {
  childDeletionLinkLetter,
  childDeletionScheduledLetter,
  deletionByChildLetter,
  deletionByGuardianLetter,
  deletionScheduledLetter,
} from './deletion-requests.tsx'
import {
  confirmNewEmailLetter,
  emailChangedLetter,
  emailChangeWarningLetter,
  passwordChangedLetter,
} from './email-and-password-changes.tsx'
import { childExportReadyLetter, exportReadyLetter } from './export-ready.tsx'
import { familySignInLinkLetter } from './family-sign-in-link.tsx'
import { forgottenEmailLetter } from './forgotten-email.tsx'
import { guardianConsentRequestLetter } from './guardian-consent-request.tsx'
import { guardianReplacedLetter } from './guardian-replaced.tsx'
import type { LetterContent } from './letter-components.tsx'
import type { LetterErrand, LetterRecipient } from './letter-data-source.ts'
import { type LetterSenderHelpers, runAllThenThrow } from './letter-sender-helpers.ts'
import { resetPasswordLetter } from './reset-password.tsx'
import { welcomeLetter } from './welcome.tsx'
/** Returns the functions that send letters about an account: its links, addresses, guardian and export, and its closing and deletion. */
export function accountLetterSenders(
  sql: postgres.Sql,
  { facts, sender, sendLetter, sendLetterToPlayer, guardianRecipient }: LetterSenderHelpers,
) {
  /** Returns a function that sends a letter with a one-time link and then erases the stored copy of the link's token. */
  const oneTimeLinkLetter =
    (
      write: (token: string, user: LetterRecipient) => LetterContent | null,
      to: (user: LetterRecipient, email: string | null) => string | undefined,
    ) =>
    async ({ user, link }: { user: string; link: string }, { id }: LetterErrand) => {
      const [found, person] = await Promise.all([findLinkForUnsentLetter(sql, link), facts.person(user)])
      const address = found && person && to(person, found.email)
      const letter = address && write(found.token, person)
      if (!letter) return
      await sendLetter(id, address, letter)
      await erasePlainTokenAfterEmailSent(sql, link)
    }

  /** Returns a function that sends a letter to the account's email address, if the account still exists. */
  const accountLetter =
    (write: (user: LetterRecipient) => LetterContent) =>
    async ({ user }: { user: string }, { id }: LetterErrand) => {
      const person = await facts.person(user)
      if (person) await sendLetter(id, person.email, write(person))
    }

  /** Sends the guardian's letter about a child's account, if the child has a guardian. The letter's id is derived from the errand's. */
  async function sendLetterToGuardianOf(
    person: LetterRecipient,
    id: string,
    page: string,
    write: (recipient: Awaited<ReturnType<typeof guardianRecipient>>) => LetterContent,
  ) {
    const { guardian } = person
    if (guardian) await sendLetter(`${id}-guardian`, guardian.email, write(await guardianRecipient(guardian, person, page)))
  }
  const roleOf = ({ role }: LetterRecipient) => (role === 'instructor' ? 'instructor' : 'player')

  return {
    'letter.welcome': async ({ user }: { user: string }, { id }: LetterErrand) => {
      const person = await facts.person(user)
      if (!person || person.role === 'admin') return
      await sendLetter(id, person.email, welcomeLetter({ name: person.firstName, role: person.role }, sender))
    },
    'letter.deletion-scheduled': async (
      { user, due, guardian: requestingGuardian }: { user: string; due: string; guardian?: string },
      errand: LetterErrand,
    ) => {
      const person = await facts.person(user)
      // The letter may have been postponed to the morning, or retried, and the deletion may have been canceled in the meantime.
      if (!person || (await facts.deletionDue(user)) !== due) return
      const { firstName: name, timeZone } = person
      await runAllThenThrow([
        () =>
          requestingGuardian
            ? sendLetterToPlayer(errand, person, deletionByGuardianLetter({ name, due, timeZone }, sender))
            : sendLetter(errand.id, person.email, deletionScheduledLetter({ name, due, timeZone }, sender)),
        async () => {
          if (errand.payload.isMorning) return
          const write = requestingGuardian ? childDeletionScheduledLetter : deletionByChildLetter
          await sendLetterToGuardianOf(person, errand.id, `/family/children/${user}`, recipient =>
            write({ ...recipient, due, timeZone }, sender),
          )
        },
      ])
    },
    'letter.account-closed': async ({ user, due }: { user: string; due: string }, { id }: LetterErrand) => {
      const [person, reason] = await Promise.all([facts.person(user), facts.closingReason(user)])
      // The letter may have been retried, and the account may have been reopened in the meantime.
      if (!person || reason === null || (await facts.deletionDue(user)) !== due) return
      const closing = { due, reason, timeZone: person.timeZone }
      await runAllThenThrow([
        () => sendLetter(id, person.email, accountClosedLetter({ name: person.firstName, role: roleOf(person), ...closing }, sender)),
        () =>
          sendLetterToGuardianOf(person, id, `/family/children/${user}`, recipient =>
            childAccountClosedLetter({ ...recipient, ...closing }, sender),
          ),
      ])
    },
    'letter.account-reopened': async ({ user }: { user: string }, { id }: LetterErrand) => {
      const [person, reason] = await Promise.all([facts.person(user), facts.closingReason(user)])
      if (!person || reason !== null) return
      await runAllThenThrow([
        () => sendLetter(id, person.email, accountReopenedLetter({ name: person.firstName, role: roleOf(person) }, sender)),
        () => sendLetterToGuardianOf(person, id, `/family/children/${user}`, recipient => childAccountReopenedLetter(recipient, sender)),
      ])
    },
    'letter.child-deletion-link': async (
      { user, guardian, link }: { user: string; guardian: string; link: string },
      { id }: LetterErrand,
    ) => {
      const [found, child, recipient] = await Promise.all([
        findLinkForUnsentLetter(sql, link),
        facts.person(user),
        facts.guardian(guardian),
      ])
      if (!found || !child || !recipient) return
      const url = await facts.familyLink(guardian, `/family/children/${user}?delete=${found.token}`)
      const minutes = EMAILED_LINK_MINUTES['child-deletion']
      await sendLetter(
        id,
        recipient.email,
        childDeletionLinkLetter({ guardian: recipient.name, player: child.firstName, url, minutes }, sender),
      )
      await erasePlainTokenAfterEmailSent(sql, link)
    },
    'letter.coming-of-age': async ({ user, day }: { user: string; day: string }, errand: LetterErrand) => {
      const person = await facts.person(user)
      if (!person) return
      const { firstName: player } = person
      await runAllThenThrow([
        () => sendLetterToPlayer(errand, person, comingOfAgeNoticeLetter({ player, day }, sender)),
        async () => {
          if (errand.payload.isMorning) return
          await sendLetterToGuardianOf(person, errand.id, '/family', recipient =>
            guardianComingOfAgeNoticeLetter({ ...recipient, day }, sender),
          )
        },
      ])
    },
    'letter.your-email': accountLetter(user => forgottenEmailLetter({ name: user.firstName, email: user.email }, sender)),
    'letter.guardian': oneTimeLinkLetter(
      (token, { asked, firstName: player }) =>
        asked && guardianConsentRequestLetter({ guardian: asked.name, player, token, takesOver: asked.takesOver }, sender),
      player => player.asked?.email,
    ),
    'letter.guardian-changed': async ({ user, guardian }: { user: string; guardian: string }, { id }: LetterErrand) => {
      const [player, former] = await Promise.all([facts.person(user), facts.guardian(guardian)])
      if (!player || !former) return
      const recipient = await guardianRecipient({ id: guardian, ...former }, player, '/family/money')
      await sendLetter(id, former.email, guardianReplacedLetter(recipient, sender))
    },
    'letter.consent-refused': async ({ user, deletedAt }: { user: string; deletedAt: string | null }, errand: LetterErrand) => {
      const person = await facts.person(user)
      // The guardian may have agreed after the letter was postponed to the morning.
      if (!person || !(await facts.isConsentRefused(user))) return
      const { firstName: player, timeZone } = person
      await sendLetterToPlayer(errand, person, consentRefusedLetter({ player, deletedAt, timeZone }, sender))
    },
    'letter.family-sign-in': async ({ guardian, link, page }: { guardian: string; link: string; page: string }, { id }: LetterErrand) => {
      const [found, person] = await Promise.all([findLinkForUnsentLetter(sql, link), facts.guardian(guardian)])
      if (!found || !person) return
      const minutes = EMAILED_LINK_MINUTES['family-sign-in']
      await sendLetter(id, person.email, familySignInLinkLetter({ guardian: person.name, token: found.token, page, minutes }, sender))
      await erasePlainTokenAfterEmailSent(sql, link)
    },
    'letter.reset-password': oneTimeLinkLetter(
      (token, user) => resetPasswordLetter({ name: user.firstName, token, minutes: EMAILED_LINK_MINUTES['reset-password'] }, sender),
      user => user.email,
    ),
    'letter.confirm-email': oneTimeLinkLetter(
      (token, user) => confirmEmailLetter({ name: user.firstName, token, days: EMAILED_LINK_MINUTES['confirm-email'] / 24 / 60 }, sender),
      user => user.email,
    ),
    'letter.confirm-new-email': oneTimeLinkLetter(
      (token, user) => confirmNewEmailLetter({ name: user.firstName, token, hours: EMAILED_LINK_MINUTES['change-email'] / 60 }, sender),
      (_, email) => email ?? undefined,
    ),
    'letter.email-changed': oneTimeLinkLetter(
      (token, user) => emailChangedLetter({ name: user.firstName, token, days: EMAILED_LINK_MINUTES['restore-email'] / 24 / 60 }, sender),
      (_, email) => email ?? undefined,
    ),
    'letter.export-ready': async ({ user, until, guardian }: { user: string; until: string; guardian?: string }, { id }: LetterErrand) => {
      const person = await facts.person(user)
      if (!person) return
      if (!guardian)
        return sendLetter(id, person.email, exportReadyLetter({ name: person.firstName, until, timeZone: person.timeZone }, sender))
      // A former guardian can no longer download the export.
      if (person.guardian?.id !== guardian) return
      const recipient = await guardianRecipient(person.guardian, person, `/family/children/${user}`)
      await sendLetter(id, person.guardian.email, childExportReadyLetter({ ...recipient, until, timeZone: person.timeZone }, sender))
    },
    'letter.email-change-asked': accountLetter(user => emailChangeWarningLetter({ name: user.firstName }, sender)),
    'letter.password-changed': accountLetter(user => passwordChangedLetter({ name: user.firstName }, sender)),
    'letter.admin-invitation': oneTimeLinkLetter(
      (token, user) =>
        adminInvitationLetter(
          { inviter: `${user.firstName} ${user.lastName}`, token, days: EMAILED_LINK_MINUTES['admin-invitation'] / 24 / 60 },
          sender,
        ),
      (_, email) => email ?? undefined,
    ),
  }
}
