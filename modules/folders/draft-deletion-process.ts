import { errand, eventProcess } from '../kernel/process.ts'
import type { FolderEvent } from './folder.ts'

const forget = (e: { id: string; data: { assignment: string } }) => errand(e, 'draft.forget', { assignment: e.data.assignment })

/** Deletes a session's draft and held delivery once the assignment is withdrawn or declined, or the feedback is delivered. */
export const draftDeletionProcess = eventProcess<FolderEvent>({
  name: 'drafting',
  startsFrom: 'beginning',
  on: { AssignmentWithdrawn: forget, AssignmentDeclined: forget, FeedbackGiven: forget },
})
