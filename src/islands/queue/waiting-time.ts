import { TYPICAL_FEEDBACK_HOURS_RANGE } from '../../../modules/folders/policy.ts'
import type { BadgeTone } from '../../ui/badge.tsx'

const [DUE_SOON_HOURS, LATE_HOURS] = TYPICAL_FEEDBACK_HOURS_RANGE

/**
 * How long a folder has waited, compared with the 24 to 48 hours promised to players.
 * @param assigned ISO time
 * @param now in milliseconds, as `Date.now()`
 * @returns whole hours, and the matching color and text
 */
export function describeWaitingTime(
  assigned: string,
  now: number,
): { hours: number; tone: Extract<BadgeTone, 'field' | 'gold' | 'clay'>; words: string } {
  const hours = Math.max(0, Math.floor((now - Date.parse(assigned)) / 3_600_000))
  const waited = hours < 1 ? 'Just in' : hours < 48 ? `Waiting ${hours}h` : `Waiting ${Math.floor(hours / 24)} days`
  if (hours < DUE_SOON_HOURS) return { hours, tone: 'field', words: waited }
  if (hours < LATE_HOURS) return { hours, tone: 'gold', words: `${waited}, ${LATE_HOURS - hours}h left` }
  return { hours, tone: 'clay', words: `${waited}, late` }
}
