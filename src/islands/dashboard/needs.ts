import type { OwnFolder } from '../../../modules/folders/contract.ts'
import type { Payment } from '../../../modules/payments/contract.ts'
import { feedbackOf, type Read } from '../../folders/read-marks.ts'
import type { Unfinished } from '../../upload/unfinished.ts'

/** One thing that waits for the player, most urgent first. */
export type Need =
  | { kind: 'failed' | 'overdue' | 'due'; folder: string; name: string; payment: Payment }
  | { kind: 'feedback' | 'declined'; folder: string; name: string; instructor: string }
  | { kind: 'answer'; folder: string; name: string; instructor: string; session: string }
  | { kind: 'upload'; folder: string; name: string; file: string }
  | { kind: 'assign'; folder: string; name: string }

/** An answer is news for so long: a device that never showed it knows nothing of whether it was read on another. */
const NEWS_DAYS = 14
const order: Need['kind'][] = ['failed', 'overdue', 'due', 'feedback', 'declined', 'answer', 'upload', 'assign']

/**
 * What needs the player now: one entry a folder, its most urgent. Archived folders are left alone.
 * @param read what the player has seen: `src/folders/read-marks.ts`
 * @param now ms
 */
export function needs(folders: OwnFolder[], payments: Payment[], unfinished: Unfinished[], read: Read, now: number): Need[] {
  const isNews = (at: string | null) => !!at && now - Date.parse(at) < NEWS_DAYS * 86_400_000
  const all = folders
    .filter(f => f.status !== 'archived')
    .flatMap((f): Need[] => {
      const about = { folder: f.id, name: f.name }
      const payment = payments.find(p => p.folder === f.id && (p.status === 'due' || p.status === 'failed'))
      if (payment) return [{ ...about, payment, kind: payment.status === 'failed' ? 'failed' : payment.overdue ? 'overdue' : 'due' }]
      if (f.status === 'feedback-given' && !(f.assignment && read.includes(feedbackOf(f.assignment))))
        return [{ ...about, kind: 'feedback', instructor: f.instructor?.name ?? 'Your instructor' }]
      const upload = unfinished.find(u => u.folder === f.id)
      if (upload) return [{ ...about, kind: 'upload', file: upload.name }]
      // An open folder needs another instructor; a paid one is fine as it is once that is known.
      if (f.declined && (f.status === 'open' || !read.includes(f.declined.assignment))) {
        return [{ ...about, kind: 'declined', instructor: f.declined.by.name }]
      }
      const answered = f.sessions.find(s => isNews(s.answered) && !read.includes(s.id))
      if (answered) return [{ ...about, kind: 'answer', instructor: answered.instructor.name, session: answered.id }]
      if (f.status === 'open' && f.videos > 0) return [{ ...about, kind: 'assign' }]
      return []
    })
  return all.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}
