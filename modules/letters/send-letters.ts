import type postgres from 'postgres'
import { linkOf, markLinkDelivered } from '../accounts/links.ts'
import { LINK_MINUTES } from '../accounts/policy.ts'
import type { CheckKind, VettingStatus } from '../instructors/contract.ts'
import { derivedId } from '../kernel/decider.ts'
import { GiveUp } from '../kernel/outbox.ts'
import type { Errand } from '../kernel/process.ts'
import { CHECK_NAMES } from '../vetting/event-sentences.ts'
import { confirmNewEmailLetter, emailChangedLetter, emailChangeRequestedLetter, passwordChangedLetter } from './account-changed.tsx'
import { adminInvitationLetter } from './admin-invitation.tsx'
import { answerLetter } from './answer.tsx'
import { adulthoodLetter, guardianshipEndLetter } from './coming-of-age.tsx'
import { composeEmail } from './compose.tsx'
import { confirmEmailLetter } from './confirm-email.tsx'
import { consentRefusedLetter } from './consent-refused.tsx'
import { deletionScheduledLetter, guardianDeletionScheduledLetter } from './deletion-scheduled.tsx'
import { emailReminderLetter } from './email-reminder.tsx'
import { expiringCheckLetter } from './expiring-check.tsx'
import { childExportReadyLetter, exportReadyLetter } from './export-ready.tsx'
import { familySignInLetter } from './family-sign-in.tsx'
import { feedbackLetter } from './feedback.tsx'
import { folderAssignedLetter } from './folder-assigned.tsx'
import { folderDeclinedLetter, folderHandedBackLetter } from './folder-declined.tsx'
import { guardianChangedLetter } from './guardian-changed.tsx'
import { guardianConsentLetter } from './guardian-consent.tsx'
import {
  guardianAnswerLetter,
  guardianAssignmentLetter,
  guardianDeclineLetter,
  guardianFeedbackLetter,
  guardianQuestionLetter,
  guardianRatingAnswerLetter,
  guardianRatingLetter,
} from './guardian-messages.tsx'
import { heldShareLetter } from './held-share.tsx'
import type { Letter, Sender } from './layout.tsx'
import type { Addressee, LetterData, LetterErrand, Person, PlayerAndInstructor, Session } from './letter-data.ts'
import { questionLetter } from './question.tsx'
import { type Email, MailError } from './resend.ts'
import { resetPasswordLetter } from './reset-password.tsx'
import { moneyLetterSenders } from './send-money-letters.ts'
import { ratingAnswerLetter, sessionRatedLetter } from './session-rated.tsx'
import { supportAnswerLetter } from './support-answer.tsx'
import {
  instructorApprovedLetter,
  instructorDeclinedLetter,
  instructorReinstatedLetter,
  instructorSuspendedLetter,
} from './vetting-decision.tsx'
import { welcomeLetter } from './welcome.tsx'

export interface LetterDeps {
  sql: postgres.Sql
  facts: LetterData
  mail: { send(mail: Email): Promise<unknown> }
  /** Puts an errand into the outbox. */
  schedule(errand: Errand): Promise<unknown>
  house: Sender
}

/** Runs all tasks even if some fail, then throws, temporary errors before permanent ones. */
async function each(all: (() => Promise<unknown>)[]) {
  const failed: unknown[] = []
  for (const one of all) await one().catch(error => failed.push(error))
  if (failed.length) throw failed.find(error => !(error instanceof GiveUp)) ?? failed[0]
}

/** The senders of all letters. The errand's id is the idempotency key, so a letter that is sent again arrives once. */
export function letterSenders({ sql, facts, mail, schedule, house }: LetterDeps) {
  async function post(id: string, to: string, letter: Letter, unsubscribeToken?: string) {
    try {
      await mail.send({ id, to, ...(await composeEmail(letter, house, unsubscribeToken)) })
    } catch (error) {
      if (error instanceof MailError && !error.temporary) throw new GiveUp(error.message, { cause: error })
      throw error
    }
  }

  /** Sends a letter to a player. For a minor at night it is postponed to the morning, and nothing else of the errand is repeated then. */
  async function postToPlayer(
    { id, kind, payload }: LetterErrand,
    { email, quietUntil }: Person,
    letter: Letter,
    unsubscribeToken?: string,
  ) {
    if (quietUntil === null || payload.isMorning) return post(id, email, letter, unsubscribeToken)
    await schedule({ id: derivedId(id, 'morning'), kind, payload: { ...payload, isMorning: true }, due: quietUntil })
  }

  const both = async ({ player, instructor }: { player: string; instructor: string }): Promise<PlayerAndInstructor | null> => {
    const [p, i] = await Promise.all([facts.person(player), facts.person(instructor)])
    return p && i && { player: p, instructor: i, names: { player: p.firstName, instructor: `${i.firstName} ${i.lastName}` } }
  }

  /** The guardian's name as letters about this child use it, with a link that signs in and opens this page. */
  const guardianReader = async ({ id, name }: Addressee, child: Person, page: string) => ({
    guardian: name,
    player: child.firstName,
    url: await facts.familyLink(id, page),
  })
  type Reader = Awaited<ReturnType<typeof guardianReader>>

  type SessionOfFolder = Session & { folderId: string; session: string }

  /**
   * A letter about an assignment, to its player or instructor. The guardian of a minor gets a version of their own, because guardians see
   * all messages.
   */
  const passing =
    (
      to: 'player' | 'instructor',
      write: (s: SessionOfFolder, names: PlayerAndInstructor['names']) => Letter | null,
      writeToGuardian: (s: Session, names: PlayerAndInstructor['names'] & Reader) => Letter | null,
    ) =>
    async ({ folder, assignment }: { folder: string; assignment: string }, about: LetterErrand) => {
      const s = await facts.session(folder, assignment)
      const between = s && (await both(s))
      if (!between) return
      const { player, names } = between
      const greeted = to === 'instructor' ? { ...names, instructor: between.instructor.firstName } : names
      const letter = write({ ...s, folderId: folder, session: assignment }, greeted)
      if (!letter) return
      await each([
        () => (to === 'player' ? postToPlayer(about, player, letter) : post(about.id, between.instructor.email, letter)),
        async () => {
          const { guardian } = about.payload.isMorning ? { guardian: null } : player
          if (!guardian) return
          // A later guardian must not see what an earlier one agreed to pay. The link is created only if the letter is written.
          const its = { ...s, cost: s.cost?.payer === guardian.id ? s.cost : null }
          if (!writeToGuardian(its, { ...names, guardian: guardian.name, url: '' })) return
          // A session that ended without feedback has no page.
          const page = `/family/folder/${folder}${s.reason === null ? `?session=${assignment}` : ''}`
          const toGuardian = writeToGuardian(its, { ...names, ...(await guardianReader(guardian, player, page)) })
          if (toGuardian) await post(`${about.id}-guardian`, guardian.email, toGuardian)
        },
      ])
    }

  /**
   * A letter about an instructor's vetting status, skipped if an administrator has changed it since. `null`: neither declined nor
   * suspended.
   */
  const standing =
    (status: VettingStatus | null, write: (instructor: string, reason: string) => Letter) =>
    async ({ instructor }: { instructor: string }, { id }: LetterErrand) => {
      const [person, vetted] = await Promise.all([facts.person(instructor), facts.vetting(instructor)])
      const stands = status === null ? vetted.status === 'approved' || vetted.status === 'pending' : vetted.status === status
      if (person && stands) await post(id, person.email, write(person.firstName, vetted.reason ?? ''))
    }

  /** A letter with a one-time link, whose token is deleted once the letter was sent. */
  const linked =
    (write: (token: string, user: Person) => Letter | null, to: (user: Person, email: string | null) => string | undefined) =>
    async ({ user, link }: { user: string; link: string }, { id }: LetterErrand) => {
      const [found, person] = await Promise.all([linkOf(sql, link), facts.person(user)])
      const address = found && person && to(person, found.email)
      const letter = address && write(found.token, person)
      if (!letter) return
      await post(id, address, letter)
      await markLinkDelivered(sql, link)
    }

  /** A letter to an account's current address. */
  const toAccount =
    (write: (user: Person) => Letter) =>
    async ({ user }: { user: string }, { id }: LetterErrand) => {
      const person = await facts.person(user)
      if (person) await post(id, person.email, write(person))
    }

  return {
    'letter.assigned': passing(
      'instructor',
      (s, names) => folderAssignedLetter({ ...s, ...names }, house),
      (s, names) => guardianAssignmentLetter({ ...s, ...names }),
    ),
    // A guardian whose consent ended already knows why the folder came back.
    'letter.declined': passing(
      'player',
      (s, names) => {
        if (s.reason === null) return null
        return s.cause
          ? folderHandedBackLetter({ ...s, ...names, cause: s.cause }, house)
          : folderDeclinedLetter({ ...s, ...names, reason: s.reason }, house)
      },
      (s, names) => (s.reason === null || s.cause ? null : guardianDeclineLetter({ ...s, ...names, reason: s.reason })),
    ),
    // A paying guardian gets the feedback together with the bill.
    'letter.feedback-given': passing(
      'player',
      (s, names) => s.review && feedbackLetter({ ...s, ...names, review: s.review }, house),
      (s, names) => (s.cost ? null : s.review && guardianFeedbackLetter({ ...s, ...names, review: s.review, bill: null })),
    ),
    'letter.question': passing(
      'instructor',
      (s, names) => (s.question === null ? null : questionLetter({ ...s, ...names, question: s.question }, house)),
      (s, names) => (s.question === null ? null : guardianQuestionLetter({ ...s, ...names, question: s.question })),
    ),
    'letter.answer': passing(
      'player',
      (s, names) =>
        s.question === null || s.answer === null ? null : answerLetter({ ...s, ...names, question: s.question, answer: s.answer }, house),
      (s, names) =>
        s.question === null || s.answer === null ? null : guardianAnswerLetter({ ...s, ...names, question: s.question, answer: s.answer }),
    ),

    'letter.session-rated': passing(
      'instructor',
      (s, names) => s.rating && sessionRatedLetter({ ...s, ...names, rating: s.rating }, house),
      // Guardians need no letter about what they wrote themselves.
      (s, names) => (s.rating?.rater === 'player' ? guardianRatingLetter({ ...s, ...names, rating: s.rating }) : null),
    ),
    'letter.rating-answered': passing(
      'player',
      (s, names) => (s.rating?.answer ? ratingAnswerLetter({ ...s, ...names, answer: s.rating.answer }, house) : null),
      (s, names) => (s.rating?.answer ? guardianRatingAnswerLetter({ ...s, ...names, answer: s.rating.answer }) : null),
    ),

    ...moneyLetterSenders({ facts, house, post, postToPlayer, both }),

    'letter.share-held': async ({ payment }: { payment: string }, { id }: LetterErrand) => {
      const bill = await facts.bill(payment)
      const between = bill && (await both(bill))
      const held = between && (await facts.held(bill.instructor, payment))
      if (!held) return
      const { player, instructor } = between
      const { reminders, token } = await facts.preferences(bill.instructor)
      const letter = heldShareLetter({ ...bill, ...held, player: player.firstName, instructor: instructor.firstName }, house)
      if (reminders) await post(id, instructor.email, letter, token)
    },
    'letter.support-answered': async ({ request }: { request: string }, errand: LetterErrand) => {
      const about = await facts.request(request)
      const person = about && (await facts.person(about.by))
      if (person) await postToPlayer(errand, person, supportAnswerLetter({ ...about, name: person.firstName }, house))
    },
    'letter.welcome': async ({ user }: { user: string }, { id }: LetterErrand) => {
      const person = await facts.person(user)
      if (!person || person.role === 'admin') return
      await post(id, person.email, welcomeLetter({ name: person.firstName, role: person.role }, house))
    },
    'letter.deletion-scheduled': async ({ user, due }: { user: string; due: string }, { id }: LetterErrand) => {
      const person = await facts.person(user)
      if (!person) return
      const { guardian } = person
      await each([
        () => post(id, person.email, deletionScheduledLetter({ name: person.firstName, due, timeZone: person.timeZone }, house)),
        async () => {
          if (!guardian) return
          const reader = await guardianReader(guardian, person, `/family/children/${user}`)
          await post(
            `${id}-guardian`,
            guardian.email,
            guardianDeletionScheduledLetter({ ...reader, due, timeZone: person.timeZone }, house),
          )
        },
      ])
    },
    'letter.coming-of-age': async ({ user, day }: { user: string; day: string }, about: LetterErrand) => {
      const person = await facts.person(user)
      if (!person) return
      const { guardian, firstName: player } = person
      await each([
        () => postToPlayer(about, person, adulthoodLetter({ player, day }, house)),
        async () => {
          if (!guardian || about.payload.isMorning) return
          await post(`${about.id}-guardian`, guardian.email, guardianshipEndLetter({ guardian: guardian.name, player, day }, house))
        },
      ])
    },
    'letter.your-email': toAccount(user => emailReminderLetter({ name: user.firstName, email: user.email }, house)),
    'letter.guardian': linked(
      (token, { asked, firstName: player }) =>
        asked && guardianConsentLetter({ guardian: asked.name, player, token, takesOver: asked.takesOver }, house),
      player => player.asked?.email,
    ),
    'letter.guardian-changed': async ({ user, guardian }: { user: string; guardian: string }, { id }: LetterErrand) => {
      const [player, former] = await Promise.all([facts.person(user), facts.guardian(guardian)])
      if (!player || !former) return
      const reader = await guardianReader({ id: guardian, ...former }, player, '/family/money')
      await post(id, former.email, guardianChangedLetter(reader, house))
    },
    'letter.consent-refused': async ({ user, deletedAt }: { user: string; deletedAt: string | null }, errand: LetterErrand) => {
      const person = await facts.person(user)
      if (!person) return
      const { firstName: player, timeZone } = person
      await postToPlayer(errand, person, consentRefusedLetter({ player, deletedAt, timeZone }, house))
    },
    'letter.family-sign-in': async ({ guardian, link, page }: { guardian: string; link: string; page: string }, { id }: LetterErrand) => {
      const [found, person] = await Promise.all([linkOf(sql, link), facts.guardian(guardian)])
      if (!found || !person) return
      const minutes = LINK_MINUTES['family-sign-in']
      await post(id, person.email, familySignInLetter({ guardian: person.name, token: found.token, page, minutes }, house))
      await markLinkDelivered(sql, link)
    },
    'letter.reset-password': linked(
      (token, user) => resetPasswordLetter({ name: user.firstName, token, minutes: LINK_MINUTES['reset-password'] }, house),
      user => user.email,
    ),
    'letter.confirm-email': linked(
      (token, user) => confirmEmailLetter({ name: user.firstName, token, days: LINK_MINUTES['confirm-email'] / 24 / 60 }, house),
      user => user.email,
    ),
    'letter.confirm-new-email': linked(
      (token, user) => confirmNewEmailLetter({ name: user.firstName, token, hours: LINK_MINUTES['change-email'] / 60 }, house),
      (_, email) => email ?? undefined,
    ),
    'letter.email-changed': linked(
      (token, user) => emailChangedLetter({ name: user.firstName, token, days: LINK_MINUTES['restore-email'] / 24 / 60 }, house),
      (_, email) => email ?? undefined,
    ),
    'letter.export-ready': async ({ user, until, guardian }: { user: string; until: string; guardian?: string }, { id }: LetterErrand) => {
      const person = await facts.person(user)
      if (!person) return
      if (!guardian) return post(id, person.email, exportReadyLetter({ name: person.firstName, until, timeZone: person.timeZone }, house))
      // A former guardian can no longer download it.
      if (person.guardian?.id !== guardian) return
      const reader = await guardianReader(person.guardian, person, `/family/children/${user}`)
      await post(id, person.guardian.email, childExportReadyLetter({ ...reader, until, timeZone: person.timeZone }, house))
    },
    'letter.email-change-asked': toAccount(user => emailChangeRequestedLetter({ name: user.firstName }, house)),
    'letter.password-changed': toAccount(user => passwordChangedLetter({ name: user.firstName }, house)),
    'letter.instructor-approved': standing('approved', instructor => instructorApprovedLetter({ instructor }, house)),
    'letter.instructor-reinstated': standing(null, instructor => instructorReinstatedLetter({ instructor }, house)),
    'letter.instructor-declined': standing('declined', (instructor, reason) => instructorDeclinedLetter({ instructor, reason }, house)),
    'letter.instructor-suspended': standing('suspended', (instructor, reason) => instructorSuspendedLetter({ instructor, reason }, house)),
    // A check that was renewed or withdrawn since needs no letter.
    'letter.check-expiring': async (p: { instructor: string; check: CheckKind; expires: string }, { id }: LetterErrand) => {
      const [person, vetted] = await Promise.all([facts.person(p.instructor), facts.vetting(p.instructor)])
      if (!person || vetted.checks[p.check]?.expires !== p.expires) return
      await post(
        id,
        person.email,
        expiringCheckLetter({ instructor: person.firstName, check: CHECK_NAMES[p.check], expires: p.expires }, house),
      )
    },
    'letter.admin-invitation': linked(
      (token, user) =>
        adminInvitationLetter(
          { inviter: `${user.firstName} ${user.lastName}`, token, days: LINK_MINUTES['admin-invitation'] / 24 / 60 },
          house,
        ),
      (_, email) => email ?? undefined,
    ),
  }
}
