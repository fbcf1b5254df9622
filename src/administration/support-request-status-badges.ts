import type { SupportRequestStatus } from '../../modules/support/contract.ts'
import type { BadgeTone } from '../ui/badge.tsx'

/** Label and color of each support request status on administrators' screens. */
export const supportRequestStatusBadges: Record<SupportRequestStatus, [label: string, tone: BadgeTone]> = {
  open: ['Open', 'clay'],
  'in-progress': ['In progress', 'sky'],
  answered: ['Answered', 'field'],
  closed: ['Closed', 'ink'],
}
