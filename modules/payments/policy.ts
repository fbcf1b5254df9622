/** Business constants of money. Cents, bytes and days. */
export const BASE = 1500
export const FEE_PER_VIDEO = 50
export const FEE_PER_STARTED_STEP = 50
export const FEE_STEP_BYTES = 100 * 1024 * 1024
export const FREE_BYTES = 100 * 1024 * 1024
export const FEE_PER_EXTRA_NOTE = 25
export const FREE_NOTES = 5
export const FEE_CAP = 1000
/** Part of the undiscounted base that goes to the instructor, with the whole tip. */
export const INSTRUCTOR_PERCENT = 80
export const TIP_PERCENTS = [15, 20, 25] as const
export const TIP_MOST = 20_000
export const REMINDER_DAYS = [1, 3] as const
export const CHARGE_AFTER_DAYS = 7
/** How long a card is kept for an assignment under way, until everybody can see that it was assigned. */
export const HOLD_MINUTES = 10
/** The letter that says so goes out this many days before. */
export const CHARGE_NOTICE_DAYS = 1
export const REFERRAL_PERCENT = 10
/** One point is worth a cent: 100 points are $1. */
export const CENTS_PER_POINT = 1
/** Points may cover up to this part of the base. */
export const POINTS_PERCENT = 50
/** The least that a card can be charged (the provider's limit). */
export const CHARGE_LEAST = 50
export const PACKAGES = {
  single: { label: 'Single session', folders: 1, cents: 1500 },
  triple: { label: 'Triple', folders: 3, cents: 4200 },
  season: { label: 'Season', folders: 10, cents: 13_000 },
} as const
export type PackageType = keyof typeof PACKAGES
