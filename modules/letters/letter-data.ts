import type { HandBackCause } from '../folders/folder.ts'
import type { CheckKind, VettingStatus } from '../instructors/contract.ts'
import type { AgreedCost } from './guardian-messages.tsx'
import type { DeliveredReview } from './review-text.tsx'
import type { LetterRating } from './session-rated.tsx'

/** A guardian, as a player named them. */
export interface Addressee {
  id: string
  name: string
  email: string
}
/** Somebody we may write to. */
export interface Person {
  id: string
  email: string
  firstName: string
  lastName: string
  role: 'player' | 'instructor' | 'admin'
  /** Of the dates in letters to them, and of a minor's quiet hours. */
  timeZone: string
  /** Of a minor, once the guardian has agreed. */
  guardian: Addressee | null
  /** The guardian who is asked, whether or not the answer is there yet. `takesOver`: another one had agreed before them. */
  asked: (Addressee & { takesOver: boolean }) | null
  /** When the quiet hours of a minor are over, ISO 8601; null outside of them, and for everybody else. */
  quietUntil: string | null
}
/** What one assignment was about. */
export interface Session {
  folder: string
  player: string
  instructor: string
  message: string | null
  videos: number
  review: DeliveredReview | null
  reason: string | null
  /** Why it came back where the instructor did not decide so. */
  cause: HandBackCause | null
  /** What the guardian who pays agreed to; null where the player pays. */
  cost: (AgreedCost & { payer: string }) | null
  question: string | null
  answer: string | null
  /** What its player or the guardian said of it; null where nobody has. */
  rating: LetterRating | null
}
/** What one payment is about. `card` is the one that was charged, or will be: "Visa ending in 4242". */
export interface LetterBill {
  folder: string
  folderId: string
  player: string
  instructor: string
  /** The guardian who pays; null where the player does. */
  payer: string | null
  items: { label: string; cents: number }[]
  total: number
  due: string
  /** Of whoever pays. */
  timeZone: string
  settled: boolean
  paid: { amount: number; tip: number; at: string; number: string } | null
  saved: string | null
  attempts: Record<string, { amount: number; card: string; by: 'player' | 'guardian' | 'schedule' }>
  last: string | null
  used: string | null
  refunds: Record<string, { amount: number; reason: string }>
}
/** Money that waits for its instructor's payout account. Cents: the share of one payment, and all that waits. */
export interface HeldShare {
  share: number
  waiting: number
  /** There is an account, but it lacks something. */
  started: boolean
}
/** A package of folders: what was paid for it, the refunds of it, and the folders the player has left. */
export interface Package {
  player: string
  /** The guardian who paid; null where the player did. */
  payer: string | null
  label: string
  folders: number
  paid: number
  at: string
  /** Of whoever paid. */
  timeZone: string
  card: string | null
  number: string
  refunds: Record<string, { amount: number; reason: string }>
  left: number
}
/** Where the checking of an instructor stands. Days are `YYYY-MM-DD`. */
export interface VettingDecision {
  status: VettingStatus
  reason: string | null
  checks: Partial<Record<CheckKind, { expires: string | null }>>
}
/** What a minor asks the guardian to approve. Cents. */
export interface GuardianQuote {
  guardian: string
  player: string
  instructor: string
  folder: string
  message: string | null
  items: { label: string; cents: number }[]
  total: number
  atMost: number
  /** What we have checked about the instructor: 'identity · background, May 2026'. */
  checks: string | null
}
/** Where letters find what they speak of, as it is when they are sent. Null where it is gone. */
export interface LetterData {
  person(id: string): Promise<Person | null>
  guardian(id: string): Promise<{ name: string; email: string } | null>
  session(folder: string, assignment: string): Promise<Session | null>
  bill(payment: string): Promise<LetterBill | null>
  bought(purchase: string): Promise<Package | null>
  /** Null where this session waits for no guardian's answer (any more). */
  guardianQuote(folder: string, assignment: string): Promise<GuardianQuote | null>
  /** The address of one of the family's pages, with a new one-time link that signs this guardian in. */
  familyLink(guardian: string, page: string): Promise<string>
  /** Null once the share is on its way, or went back to the player. */
  held(instructor: string, payment: string): Promise<HeldShare | null>
  request(id: string): Promise<{ by: string; asked: string; answer: string } | null>
  vetting(instructor: string): Promise<VettingDecision>
  /** Whether a person or a guardian wants reminders, and the token of the link that turns them off. */
  preferences(person: string): Promise<{ token: string; reminders: boolean }>
}

/** The two people of a session, and what letters call them. */
export type PlayerAndInstructor = { player: Person; instructor: Person; names: { player: string; instructor: string } }

/** The errand that a letter answers. `isMorning`: it was put off until the quiet hours of a player were over, and only their letter is left. */
export interface LetterErrand {
  id: string
  kind: string
  payload: { isMorning?: boolean }
}
