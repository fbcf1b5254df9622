import { derivedId } from '../kernel/decider.ts'
import { type Errand, process } from '../kernel/process.ts'
import type { FolderEvent } from './folder.ts'

const forget = (e: { id: string; data: { assignment: string } }): Errand => ({
  id: derivedId(e.id, 'draft.forget'),
  kind: 'draft.forget',
  payload: { assignment: e.data.assignment },
})

/** A draft goes with its assignment: taken back, declined or delivered. */
export const drafting = process<FolderEvent>({
  name: 'drafting',
  on: { AssignmentWithdrawn: forget, AssignmentDeclined: forget, FeedbackGiven: forget },
})
