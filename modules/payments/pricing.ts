import {
  BASE_PRICE_CENTS,
  CENTS_PER_POINT,
  FEE_PER_EXTRA_NOTE_CENTS,
  FEE_PER_STARTED_VIDEO_SIZE_STEP_CENTS,
  FEE_PER_VIDEO_CENTS,
  FEE_SIZE_STEP_BYTES,
  FREE_VIDEO_BYTES_PER_SESSION,
  INSTRUCTOR_PERCENT,
  MAX_MEDIA_SERVICE_FEE_CENTS,
  MAX_POINTS_PERCENT,
  NOTES_INCLUDED_IN_BASE_PRICE,
  REFERRAL_DISCOUNT_PERCENT,
} from './policy.ts'

/**
 * What decides an assignment's price: its discounts, the most that the payer agreed to, and who pays. Fixed when the folder is assigned,
 * and stored in events.
 */
export interface PriceTerms {
  /** A package credit pays the base price, so no other discount applies. */
  credit: boolean
  /** The id of the purchase that the credit came from. */
  purchase?: string
  /** A discount on the base price for a friend's referral code. */
  referral: boolean
  /** The points spent on the assignment. */
  points: number
  /** The most that the player agreed to, without the tip; cents. */
  atMost?: number
  /** The guardian who pays for a minor; absent if the player pays. */
  payer?: string
}
/** The message to a player who has to decide again about the new price. */
export const PRICE_CHANGED_MESSAGE = 'The price has changed since you saw it. Look at the new one, then decide.'
export const FULL_PRICE_TERMS: PriceTerms = { credit: false, referral: false, points: 0 }

/** The quantities that the Media Service Fee depends on. `bytes`: the total size of all videos. */
export interface BillableQuantities {
  videos: number
  bytes: number
  notes: number
}
/** One line of a price, integer cents; a discount is negative. */
export interface PriceItem {
  label: string
  cents: number
}

const percent = (cents: number, part: number) => Math.round((cents * part) / 100)
const plural = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`
const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`
const sum = (items: PriceItem[]) => items.reduce((total, i) => total + i.cents, 0)

export const MAX_POINTS_PER_ASSIGNMENT = Math.floor(percent(BASE_PRICE_CENTS, MAX_POINTS_PERCENT) / CENTS_PER_POINT)
export const centsOfPoints = (points: number) => points * CENTS_PER_POINT
/** The instructor's share without the tip; the player's discounts do not lower it. */
const FULL_SHARE_CENTS = percent(BASE_PRICE_CENTS, INSTRUCTOR_PERCENT)

function fee({ videos, bytes, notes }: BillableQuantities): PriceItem[] {
  const steps = Math.max(0, Math.ceil((bytes - FREE_VIDEO_BYTES_PER_SESSION) / FEE_SIZE_STEP_BYTES))
  const extra = Math.max(0, notes - NOTES_INCLUDED_IN_BASE_PRICE)
  const items = [
    { label: `Media Service Fee: ${plural(videos, 'video')}`, cents: videos * FEE_PER_VIDEO_CENTS },
    {
      label: `Media Service Fee: ${steps} × ${megabytes(FEE_SIZE_STEP_BYTES)} over the first ${megabytes(FREE_VIDEO_BYTES_PER_SESSION)}`,
      cents: steps * FEE_PER_STARTED_VIDEO_SIZE_STEP_CENTS,
    },
    {
      label: `Media Service Fee: ${plural(extra, 'note')} past the first ${NOTES_INCLUDED_IN_BASE_PRICE}`,
      cents: extra * FEE_PER_EXTRA_NOTE_CENTS,
    },
  ]
  const over = sum(items) - MAX_MEDIA_SERVICE_FEE_CENTS
  if (over > 0) items.push({ label: `Media Service Fee: capped at $${(MAX_MEDIA_SERVICE_FEE_CENTS / 100).toFixed(2)}`, cents: -over })
  return items
}

function discounts({ credit, referral, points }: PriceTerms): PriceItem[] {
  if (credit) return [{ label: 'Package credit', cents: -BASE_PRICE_CENTS }]
  const used = Math.min(points, MAX_POINTS_PER_ASSIGNMENT)
  return [
    {
      label: `Referral discount: ${REFERRAL_DISCOUNT_PERCENT}%`,
      cents: referral ? -percent(BASE_PRICE_CENTS, REFERRAL_DISCOUNT_PERCENT) : 0,
    },
    { label: plural(used, 'point'), cents: -centsOfPoints(used) },
  ]
}

/**
 * The price of a feedback session without the tip, at most `terms.atMost`. The items add up to `total`; `share` is what the instructor
 * gets, whatever the discounts. All amounts are integer cents.
 */
export function calculatePrice({ billable, terms }: { billable: BillableQuantities; terms: PriceTerms }): {
  items: PriceItem[]
  total: number
  share: number
} {
  const items = [{ label: 'Feedback session', cents: BASE_PRICE_CENTS }, ...fee(billable), ...discounts(terms)].filter(i => i.cents !== 0)
  const over = sum(items) - (terms.atMost ?? Infinity)
  if (over > 0) items.push({ label: 'Reduced to the maximum you agreed to', cents: -over })
  return { items, total: sum(items), share: FULL_SHARE_CENTS }
}

/** The price of a session with one small video, no notes beyond the free ones, and no discount. */
export const LOWEST_UNDISCOUNTED_SESSION_PRICE_CENTS = calculatePrice({
  billable: { videos: 1, bytes: 0, notes: 0 },
  terms: FULL_PRICE_TERMS,
}).total

/** A quote before the review exists: the price without notes, and the most that the session can cost. */
export function quotePriceBeforeReview({ videos, terms }: { videos: readonly { bytes: number }[]; terms: PriceTerms }): {
  items: PriceItem[]
  total: number
  atMost: number
} {
  const billable = { videos: videos.length, bytes: videos.reduce((all, v) => all + v.bytes, 0), notes: 0 }
  const { items, total } = calculatePrice({ billable, terms })
  return { items, total, atMost: BASE_PRICE_CENTS + sum(discounts(terms)) + MAX_MEDIA_SERVICE_FEE_CENTS }
}
