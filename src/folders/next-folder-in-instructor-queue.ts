import type { FolderSummary } from '../../modules/folders/contract.ts'

type QueuedFolder = Pick<FolderSummary, 'status' | 'assignment' | 'clarification'>

/**
 * What an instructor should do next: answer a question, otherwise continue a review, otherwise begin one. Within each kind, the oldest
 * comes first.
 */
export const nextInstructorTask = <F extends QueuedFolder>(queue: readonly F[]): F | undefined =>
  queue.find(f => f.clarification === 'asked') ?? nextReview(queue)

/**
 * The next review to write: the first one in progress, otherwise the first one not begun. `delivered`: the assignment that was just
 * delivered, which the queue may still contain.
 */
export const nextReview = <F extends QueuedFolder>(queue: readonly F[], delivered?: string): F | undefined => {
  const others = queue.filter(f => f.assignment !== delivered)
  return others.find(f => f.status === 'in-review') ?? others.find(f => f.status === 'assigned')
}
