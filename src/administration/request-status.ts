import type { RequestStatus } from '../../modules/support/contract.ts'
import type { Tone } from '../ui/badge.tsx'

/** Label and color of each support request status on administrators' screens. */
export const requestStatusBadges: Record<RequestStatus, [label: string, tone: Tone]> = {
  open: ['Open', 'clay'],
  'in-progress': ['In progress', 'sky'],
  answered: ['Answered', 'field'],
  closed: ['Closed', 'ink'],
}
