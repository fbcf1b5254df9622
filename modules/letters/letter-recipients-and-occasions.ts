import type { letterSenders } from './letter-senders-by-errand-kind.ts'

export type LetterKind = keyof ReturnType<typeof letterSenders>

interface LetterRule {
  to: string
  when: string
  /** Not needed to run the service, so recipients can turn it off. */
  isOptional?: true
}

/** Letters about a session that go to its instructor and not to its player. */
export const SESSION_LETTERS_TO_INSTRUCTORS: readonly string[] = [
  'letter.assigned',
  'letter.question',
  'letter.session-rated',
  'letter.share-held',
] satisfies LetterKind[]
/** Of these, the letters that have no version for the player's guardian either. */
export const SESSION_LETTERS_ONLY_TO_INSTRUCTORS: readonly string[] = ['letter.share-held'] satisfies LetterKind[]
/** Letters that only guardians get. */
export const LETTERS_ONLY_TO_GUARDIANS: readonly string[] = [
  'letter.approval-asked',
  'letter.guardian',
  'letter.family-sign-in',
  'letter.guardian-changed',
  'letter.child-deletion-link',
] satisfies LetterKind[]

/** This letter's payload names the administrator who sent the invitation, not its recipient, who has no account yet. */
export const LETTER_TO_INVITED_ADMIN: string = 'letter.admin-invitation' satisfies LetterKind

const PAYER = 'player; for a minor the guardian'
const PLAYER_AND_GUARDIAN = 'player (a minor in the morning, if it is night), guardian'

/** All letters, each with its recipient and occasion. `docs/letters.md` has the same list, and a test compares them. */
export const LETTER_RECIPIENTS_AND_OCCASIONS: Record<LetterKind, LetterRule> = {
  'letter.account-closed': { to: 'account owner, guardian', when: 'an administrator closes the account' },
  'letter.account-reopened': { to: 'account owner, guardian', when: 'an administrator opens it again' },
  'letter.admin-invitation': { to: 'invited administrator', when: 'an administrator invites them' },
  'letter.answer': { to: PLAYER_AND_GUARDIAN, when: 'the instructor answers the question' },
  'letter.approval-asked': { to: 'guardian', when: 'a minor asks for a session' },
  'letter.assigned': { to: 'instructor, guardian', when: 'a folder is assigned' },
  'letter.charge-coming': { to: PAYER, when: 'the day before the card is charged' },
  'letter.check-expiring': { to: 'instructor', when: '30 days before a check expires' },
  'letter.child-deletion-link': { to: 'guardian', when: "they ask to delete a child's account" },
  'letter.coming-of-age': { to: PLAYER_AND_GUARDIAN, when: '30 days before the player is 18' },
  'letter.confirm-email': { to: 'instructor', when: 'they register' },
  'letter.confirm-new-email': { to: 'new address of an account', when: 'its owner asks for that address' },
  'letter.consent-refused': { to: 'player (a minor in the morning, if it is night)', when: 'the parent or guardian says no' },
  'letter.declined': { to: PLAYER_AND_GUARDIAN, when: 'the instructor hands the folder back, or the guardian no longer agrees' },
  'letter.deletion-scheduled': {
    to: 'account owner, guardian',
    when: 'the owner, or the guardian of a minor, asks for the account to be deleted',
  },
  'letter.email-change-asked': { to: 'account owner', when: 'another address is asked for' },
  'letter.email-changed': { to: 'former address of an account', when: 'the new address is confirmed' },
  'letter.export-ready': { to: 'account owner, or the guardian who asked', when: 'the copy of the data is ready' },
  'letter.family-sign-in': { to: 'guardian', when: 'they ask for a link that signs in' },
  'letter.feedback-given': { to: PLAYER_AND_GUARDIAN, when: 'the feedback is delivered' },
  'letter.guardian': { to: 'guardian', when: 'a minor, the former guardian or support names them, or a minor has it sent again' },
  'letter.guardian-changed': { to: 'former guardian', when: 'another guardian takes over' },
  'letter.instructor-approved': { to: 'instructor', when: 'an administrator approves them' },
  'letter.instructor-declined': { to: 'instructor', when: 'an administrator declines them' },
  'letter.instructor-reinstated': { to: 'instructor', when: 'the suspension ends' },
  'letter.instructor-suspended': { to: 'instructor', when: 'an administrator suspends them' },
  'letter.package-receipt': { to: PAYER, when: 'a package is paid for' },
  'letter.package-refunded': { to: PAYER, when: 'money for a package goes back' },
  'letter.password-changed': { to: 'account owner', when: 'the password is changed' },
  'letter.payment-due': { to: PAYER, when: 'the feedback is delivered' },
  'letter.payment-failed': { to: PAYER, when: 'a charge fails; an hour later if the bank asks to confirm' },
  'letter.payment-reminder': { to: PAYER, when: 'unpaid after 1 and 3 days', isOptional: true },
  'letter.question': { to: 'instructor, guardian', when: 'the player asks about the feedback' },
  'letter.rating-answered': { to: PLAYER_AND_GUARDIAN, when: 'the instructor answers the rating' },
  'letter.receipt': { to: PAYER, when: 'the feedback is paid for' },
  'letter.refunded': { to: PAYER, when: 'money goes back' },
  'letter.reset-password': { to: 'account owner', when: 'they ask for a new password' },
  'letter.session-rated': { to: 'instructor, guardian', when: 'a paid session is rated, or the rating changed' },
  'letter.share-held': { to: 'instructor', when: 'a share waits for the payout account', isOptional: true },
  'letter.support-answered': { to: 'whoever asked support', when: 'an administrator answers' },
  'letter.video-refused': {
    to: 'player (a minor in the morning, if it is night)',
    when: 'a video of an assigned, started or requested session cannot be played',
  },
  'letter.welcome': { to: 'player, instructor', when: 'they register' },
  'letter.your-email': { to: 'account owner', when: 'they ask which address they use' },
}
