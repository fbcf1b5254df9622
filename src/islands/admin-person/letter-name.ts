import { capitalize } from '../../ui/capitalize.ts'

/** Readable names for letters whose kind alone does not explain them. */
const NAMES: Record<string, string> = {
  'letter.answer': 'Answer to a question',
  'letter.approval-asked': 'Request to approve a session',
  'letter.assigned': 'Folder assigned',
  'letter.declined': 'Folder declined',
  'letter.family-sign-in': 'Link to the family page',
  'letter.guardian': 'Request for consent',
  'letter.guardian-changed': 'Guardian changed',
  'letter.question': 'Question about feedback',
  'letter.rating-answered': 'Answer to a rating',
  'letter.receipt': 'Receipt',
  'letter.refunded': 'Refund',
  'letter.share-held': 'Share that waits for a payout account',
  'letter.your-email': 'Reminder of the email address',
}

/** What a letter is about, in a few words: 'letter.payment-due' → 'Payment due'. */
export const letterName = (kind: string) => NAMES[kind] ?? capitalize(kind.slice(kind.indexOf('.') + 1).replaceAll('-', ' '))
