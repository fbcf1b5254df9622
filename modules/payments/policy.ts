/** Business constants of money. Cents, bytes and days. */
export const BASE_PRICE_CENTS = 1500
export const FEE_PER_VIDEO_CENTS = 50
export const FEE_PER_STARTED_STEP_CENTS = 50
export const FEE_STEP_BYTES = 100 * 1024 * 1024
export const FREE_BYTES = 100 * 1024 * 1024
export const FEE_PER_EXTRA_NOTE_CENTS = 25
export const FREE_NOTES = 5
export const MAX_FEE_CENTS = 1000
/** Part of the undiscounted base that goes to the instructor, with the whole tip. */
export const INSTRUCTOR_PERCENT = 80
export const TIP_PERCENTS = [15, 20, 25] as const
/** So much of a share moves whatever its instructor owes: each share has a transfer, under whose idempotency key it is passed on once. */
export const MIN_TRANSFER_CENTS = 1
export const MAX_TIP_CENTS = 20_000
export const REMINDER_DAYS = [1, 3] as const
export const CHARGE_AFTER_DAYS = 7
/** What a guardian may allow a month without being asked: whole dollars, at most this. */
export const MAX_MONTHLY_LIMIT_CENTS = 100_000
/** Limits that a guardian chooses from. */
export const MONTHLY_LIMITS_CENTS = [2500, 5000, 10_000] as const
/** How long a card is kept for an assignment under way, until everybody can see that it was assigned. */
export const CARD_HOLD_MINUTES = 10
/** The letter that says so goes out this many days before. */
export const CHARGE_NOTICE_DAYS = 1
export const REFERRAL_PERCENT = 10
/** One point is worth a cent: 100 points are $1. */
export const CENTS_PER_POINT = 1
/** Points may cover up to this part of the base. */
export const POINTS_PERCENT = 50
/** The least that a card can be charged (the provider's limit). */
export const MIN_CHARGE_CENTS = 50
export const PACKAGES = {
  single: { label: 'Single session', folders: 1, cents: 1500 },
  triple: { label: 'Triple', folders: 3, cents: 4200 },
  season: { label: 'Season', folders: 10, cents: 13_000 },
} as const
export type PackageType = keyof typeof PACKAGES
