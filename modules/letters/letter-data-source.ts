import type { FolderReturnCauseOnPlayerSide } from '../folders/folder.ts'
import type { CheckKind, VettingStatus } from '../instructors/contract.ts'
import type { AgreedCost } from './guardian-session-updates.tsx'
import type { LetterReview } from './review-text-without-summary.tsx'
import type { LetterRating } from './session-rated-and-rating-answered.tsx'

/** A minor's guardian. `name`: as given when this person was named as the guardian of this player. */
export interface GuardianAddressee {
  id: string
  name: string
  email: string
}
export interface LetterRecipient {
  id: string
  email: string
  firstName: string
  lastName: string
  role: 'player' | 'instructor' | 'admin'
  /** The time zone of dates in letters to this person, and of a minor's quiet hours. */
  timeZone: string
  /** The guardian of a minor, once the guardian has given consent. */
  guardian: GuardianAddressee | null
  /** The guardian of a minor, even before the guardian has answered. `takesOver`: another guardian had given consent before. */
  asked: (GuardianAddressee & { takesOver: boolean }) | null
  /** The end of a minor's current quiet hours, ISO 8601; null outside them and for adults. */
  quietUntil: string | null
}
/** The data of one assignment. */
export interface LetterSession {
  folder: string
  player: string
  instructor: string
  message: string | null
  videos: number
  /** The ids of the videos in the order in which the folder's page numbers them. */
  videoIds: string[]
  review: LetterReview | null
  reason: string | null
  /** Why the folder was returned, if that was because of the player's side. */
  cause: FolderReturnCauseOnPlayerSide | null
  /** Whether the server returned the folder, for example after a suspension; `reason` is then ours, not the instructor's. */
  isReturnedByServer: boolean
  /** The cost that the paying guardian agreed to; null if the player pays. */
  cost: (AgreedCost & { payer: string }) | null
  question: string | null
  answer: string | null
  /** The rating by the player or the guardian, or null. */
  rating: LetterRating | null
  /** Our checks of the instructor that are valid today: 'identity · background, May 2026'. */
  checks: string | null
}
/** The data of one payment. Cards are named like this: "Visa ending in 4242". Amounts are in cents. */
export interface LetterBill {
  folder: string
  folderId: string
  player: string
  instructor: string
  /** The guardian who owes the payment; null if the player does. Somebody else may pay instead, with a card of their own. */
  payer: string | null
  items: { label: string; cents: number }[]
  total: number
  due: string
  /** The payer's time zone. */
  timeZone: string
  settled: boolean
  /** `cardOf`: the guardian whose card was charged; null if it was the player's. `timeZone`: the card owner's. */
  paid: { amount: number; tip: number; at: string; number: string; cardOf: string | null; timeZone: string } | null
  saved: string | null
  attempts: Record<string, { amount: number; card: string; by: 'player' | 'guardian' | 'schedule'; cardOf: string | null }>
  last: string | null
  used: string | null
  refunds: Record<string, { amount: number; reason: string }>
}
/** Money that is held until the instructor has a payout account, in cents: the share of one payment, and the total. */
export interface HeldInstructorShare {
  share: number
  waiting: number
  /** Whether the instructor has begun to set up a payout account. */
  started: boolean
  /** Whether the instructor has entered all details and the provider is still checking them. */
  checking?: boolean
}
/** A package of sessions with its price, refunds, and the player's remaining sessions. */
export interface LetterPackage {
  player: string
  /** The guardian who paid; null if the player did. */
  payer: string | null
  label: string
  folders: number
  paid: number
  at: string
  /** The payer's time zone. */
  timeZone: string
  card: string | null
  number: string
  refunds: Record<string, { amount: number; reason: string }>
  left: number
}
/** The vetting of an instructor. Days are `YYYY-MM-DD`. */
export interface LetterVetting {
  status: VettingStatus
  reason: string | null
  checks: Partial<Record<CheckKind, { expires: string | null }>>
}
/** A session that a minor asks the guardian to approve. Amounts are in cents. */
export interface LetterApprovalRequest {
  guardian: string
  player: string
  instructor: string
  folder: string
  message: string | null
  items: { label: string; cents: number }[]
  total: number
  atMost: number
  /** Our checks of the instructor that are valid today: 'identity · background, May 2026'. */
  checks: string | null
}
/** A video that cannot be played, in an open session or in a session that a guardian is asked to approve. */
export interface LetterRefusedVideo {
  player: string
  folder: string
  /** Why it was refused, and what the player can do. */
  reason: string
  /** Whether the session waits for a guardian's approval, so no instructor has it. */
  isRequest: boolean
  /** How many other videos of the session were not refused. */
  otherVideos: number
}
/** The data that letters need, read when a letter is sent. Methods return null for what no longer exists. */
export interface LetterDataSource {
  person(id: string): Promise<LetterRecipient | null>
  guardian(id: string): Promise<{ name: string; email: string } | null>
  session(folder: string, assignment: string): Promise<LetterSession | null>
  bill(payment: string): Promise<LetterBill | null>
  packagePurchase(purchase: string): Promise<LetterPackage | null>
  /** Null if this session is not, or no longer, waiting for a guardian's answer. */
  approvalRequest(folder: string, assignment: string): Promise<LetterApprovalRequest | null>
  /** The URL of one of the family's pages, with a new one-time token that signs this guardian in. */
  familyLink(guardian: string, page: string): Promise<string>
  /** Null once the share has been transferred, or if nothing of it is left, for example after a full refund. */
  heldShare(instructor: string, payment: string): Promise<HeldInstructorShare | null>
  /**
   * `asked`: the text of the request; null if the server made the request by itself.
   * @param event id of the answer's event; if absent, as in errands that are older than this parameter, the latest answer is returned
   */
  supportRequest(id: string, event?: string): Promise<{ by: string; asked: string | null; answer: string } | null>
  /** A refused video of an open session or of a pending approval request; null if it is in neither, or is not refused (anymore). */
  refusedVideo(folder: string, video: string): Promise<LetterRefusedVideo | null>
  vetting(instructor: string): Promise<LetterVetting>
  /** When this account will be deleted, ISO 8601; null if no deletion is scheduled (anymore). */
  deletionDue(person: string): Promise<string | null>
  /** Why an administrator closed this account; null if it is not closed. */
  closingReason(person: string): Promise<string | null>
  /** Whether the guardian's latest answer about this minor is "No". */
  isConsentRefused(player: string): Promise<boolean>
  /** Whether a person or a guardian wants reminders, and the token of the link that turns them off. */
  preferences(person: string): Promise<{ token: string; reminders: boolean }>
}

/** The player and the instructor of a session, and their names in letters. */
export type PlayerAndInstructor = { player: LetterRecipient; instructor: LetterRecipient; names: { player: string; instructor: string } }

/**
 * The errand of a letter. `isMorning`: it was postponed to the end of a player's quiet hours, and only the player's letter is left.
 * `postponedTo`: the end of those quiet hours, ISO 8601; absent in errands from older releases.
 */
export interface LetterErrand {
  id: string
  kind: string
  payload: { isMorning?: boolean; postponedTo?: string }
}
