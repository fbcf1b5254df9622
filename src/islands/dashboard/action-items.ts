import type { OwnFolderSummary } from '../../../modules/folders/contract.ts'
import { UNREAD_ANSWER_ACTION_ITEM_DAYS } from '../../../modules/folders/policy.ts'
import type { Payment } from '../../../modules/payments/contract.ts'
import { feedbackReadMark, type ReadMarks } from '../../folders/read-marks.ts'
import type { UnfinishedUpload } from '../../upload/unfinished-uploads.ts'

/** Why the server returned a folder that its instructor had not declined. */
export type AutomaticReturnCause = NonNullable<NonNullable<OwnFolderSummary['declined']>['cause']>

/** One thing that a player should do about a folder. `name` is the folder's name, `file` the name of the uploaded file. */
export type ActionItem =
  | { kind: 'failed' | 'overdue' | 'due'; folder: string; name: string; payment: Payment }
  | { kind: 'feedback'; folder: string; name: string; instructor: string }
  | { kind: 'declined'; folder: string; name: string; instructor: string; cause: AutomaticReturnCause | null }
  | { kind: 'answer'; folder: string; name: string; instructor: string; session: string }
  /** `isLost`: the file was a trimmed or smaller copy that existed only in a page's memory, so no other page can resume the upload. */
  | { kind: 'upload'; folder: string; name: string; file: string; isLost: boolean }
  | { kind: 'assign'; folder: string; name: string }
  /** `refused` of the folder's `videos` were refused, so nobody can watch them until they are replaced. */
  | { kind: 'refused'; folder: string; name: string; refused: number; videos: number }

const MOST_URGENT_FIRST: ActionItem['kind'][] = [
  'failed',
  'overdue',
  'due',
  'feedback',
  'refused',
  'declined',
  'answer',
  'upload',
  'assign',
]

/**
 * What the player should do now, most urgent first: at most one item for each folder, none for archived folders.
 * @param unfinished uploads that this device began and has not finished
 * @param canAssign false while a minor lacks the guardian's consent; no folder is then listed as ready to assign
 * @param read what the player has read: `src/folders/read-marks.ts`
 * @param now in milliseconds, as `Date.now()`
 */
export function actionItemsOf(
  folders: OwnFolderSummary[],
  payments: Payment[],
  unfinished: UnfinishedUpload[],
  read: ReadMarks,
  now: number,
  canAssign = true,
): ActionItem[] {
  const isNews = (at: string | null) => !!at && now - Date.parse(at) < UNREAD_ANSWER_ACTION_ITEM_DAYS * 86_400_000
  const all = folders
    .filter(f => f.status !== 'archived')
    .flatMap((f): ActionItem[] => {
      const about = { folder: f.id, name: f.name }
      const payment = payments.find(p => p.folder === f.id && (p.status === 'due' || p.status === 'failed'))
      // A bill that a guardian still owes concerns the player only once it stops new assignments.
      const isActionNeeded = payment && (!payment.isOwedByAnother || payment.status === 'failed' || payment.overdue)
      if (isActionNeeded) return [{ ...about, payment, kind: payment.status === 'failed' ? 'failed' : payment.overdue ? 'overdue' : 'due' }]
      if (f.status === 'feedback-given' && !(f.assignment && read.includes(feedbackReadMark(f.assignment))))
        return [{ ...about, kind: 'feedback', instructor: f.instructor?.name ?? 'Your instructor' }]
      // While the folder is with its instructor, only an upload that replaces an unplayable video can continue.
      const takesUpload = (u: UnfinishedUpload) => (u.replaces ? f.unseen > 0 : f.status === 'open' || f.status === 'paid')
      const upload = unfinished.find(u => u.folder === f.id && takesUpload(u))
      if (upload) return [{ ...about, kind: 'upload', file: upload.name, isLost: upload.isCopy === true }]
      if (f.unseen > 0 && ['open', 'assigned', 'in-review'].includes(f.status))
        return [{ ...about, kind: 'refused', refused: f.unseen, videos: f.videos }]
      // In an open folder, a "declined" item stays, because the player still has to choose another instructor. In a paid folder, whose
      // follow-up session was declined, it disappears once the player has read about it.
      if (f.declined && (f.status === 'open' || !read.includes(f.declined.assignment))) {
        return [{ ...about, kind: 'declined', instructor: f.declined.by.name, cause: f.declined.cause }]
      }
      const answered = f.sessions.find(s => isNews(s.answered) && !read.includes(s.id))
      if (answered) return [{ ...about, kind: 'answer', instructor: answered.instructor.name, session: answered.id }]
      // The guardian has to decide, so there is nothing for the player to do.
      if (f.approval?.status === 'pending') return []
      if (canAssign && f.status === 'open' && f.videos > 0) return [{ ...about, kind: 'assign' }]
      return []
    })
  return all.sort((a, b) => MOST_URGENT_FIRST.indexOf(a.kind) - MOST_URGENT_FIRST.indexOf(b.kind))
}
