import type { FolderSummary } from '../../modules/folders/contract.ts'

type QueuedFolder = Pick<FolderSummary, 'status' | 'assignment' | 'clarification'>

/** The one to do next: a review under way before a new one, and a question after both; the oldest of its kind. */
export const nextInQueue = <F extends QueuedFolder>(queue: readonly F[]): F | undefined =>
  nextReview(queue) ?? queue.find(f => f.clarification === 'asked')

/** The next review to write, in the queue's order, but for the session that was just delivered. */
export const nextReview = <F extends QueuedFolder>(queue: readonly F[], delivered?: string): F | undefined => {
  const others = queue.filter(f => f.assignment !== delivered)
  return others.find(f => f.status === 'in-review') ?? others.find(f => f.status === 'assigned')
}
