import { FEEDBACK_HOURS } from '../../../modules/folders/policy.ts'
import type { Tone } from '../../ui/badge.tsx'

export const [SOON, LATE] = FEEDBACK_HOURS

/** How long a folder has waited, against what players are told. `part` of the 48 hours, 0–1. */
export function age(
  assigned: string,
  now: number,
): { hours: number; part: number; tone: Extract<Tone, 'field' | 'gold' | 'clay'>; words: string } {
  const hours = Math.max(0, Math.floor((now - Date.parse(assigned)) / 3_600_000))
  const waited = hours < 1 ? 'Just in' : hours < 48 ? `Waiting ${hours} h` : `Waiting ${Math.floor(hours / 24)} days`
  const part = Math.min(1, hours / LATE)
  if (hours < SOON) return { hours, part, tone: 'field', words: waited }
  if (hours < LATE) return { hours, part, tone: 'gold', words: `${waited}, ${LATE - hours} h left` }
  return { hours, part, tone: 'clay', words: `${waited}, late` }
}
