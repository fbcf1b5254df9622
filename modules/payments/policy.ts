// Business constants about money. Amounts are in cents, and the names of amounts, sizes and times end in their unit.

/** The price of one session before fees, discounts and tip. */
export const BASE_PRICE_CENTS = 1500
export const FEE_PER_VIDEO_CENTS = 50
export const FEE_PER_STARTED_VIDEO_SIZE_STEP_CENTS = 50
export const FEE_SIZE_STEP_BYTES = 100 * 1024 * 1024
export const FREE_VIDEO_BYTES_PER_SESSION = 100 * 1024 * 1024
export const FEE_PER_EXTRA_NOTE_CENTS = 25
export const NOTES_INCLUDED_IN_BASE_PRICE = 5
export const MAX_MEDIA_SERVICE_FEE_CENTS = 1000
/** The instructor's percentage of the undiscounted base price. The whole tip is added. */
export const INSTRUCTOR_PERCENT = 80
export const TIP_PERCENTS = [15, 20, 25] as const
/**
 * At least this much is transferred even if the instructor owes the whole share, because the amount that is withheld is recorded with
 * the transfer.
 */
export const CENTS_TRANSFERRED_DESPITE_DEBT = 1
export const MAX_TIP_CENTS = 20_000
export const PAYMENT_REMINDER_DAYS = [1, 3] as const
export const CHARGE_AFTER_DAYS = 7
/** The notice about the automatic charge, which payers read before they agree to a price. */
export const AUTOMATIC_CHARGE_NOTICE = `If you have not paid within ${CHARGE_AFTER_DAYS} days of the feedback, we will charge your saved card.`
/** The highest monthly limit that a guardian can set. Limits are whole dollars, stored in cents. */
export const MAX_MONTHLY_LIMIT_CENTS = 100_000
/** Limits that a guardian chooses from. */
export const MONTHLY_LIMITS_CENTS = [2500, 5000, 10_000] as const
/** For this long after a request to assign a folder, its payer cannot remove their last card, because read models may lag behind. */
export const LAST_CARD_REMOVAL_BLOCK_MINUTES = 10
/**
 * The amount of a session that a minor assigns is counted toward the monthly limit immediately. This many minutes later, an errand checks
 * whether the folder was assigned; if it was not, the errand takes the amount off again.
 */
export const UNUSED_ALLOWANCE_RELEASE_DELAY_MINUTES = 10
/** How many days before the automatic charge the letter that announces it is sent. */
export const CHARGE_NOTICE_DAYS = 1
export const REFERRAL_DISCOUNT_PERCENT = 10
export const CENTS_PER_POINT = 1
/** The highest percentage of the base price that points can pay. */
export const MAX_POINTS_PERCENT = 50
/** The least that a card can be charged (the provider's limit). */
export const MIN_CHARGE_CENTS = 50
export const PACKAGES = {
  single: { label: 'Single session', folders: 1, cents: 1500 },
  triple: { label: 'Triple', folders: 3, cents: 4200 },
  season: { label: 'Season', folders: 10, cents: 13_000 },
} as const
export type PackageType = keyof typeof PACKAGES
