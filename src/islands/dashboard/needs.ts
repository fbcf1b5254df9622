import type { FolderSummary } from '../../../modules/folders/contract.ts'
import type { Payment } from '../../../modules/payments/contract.ts'

export interface Unfinished {
  folder: string
  name: string
}

/** One thing that waits for the player, most urgent first. */
export type Need =
  | { kind: 'failed' | 'overdue' | 'due'; folder: string; name: string; payment: Payment }
  | { kind: 'feedback'; folder: string; name: string; instructor: string }
  | { kind: 'upload'; folder: string; name: string; file: string }
  | { kind: 'assign'; folder: string; name: string }

const order: Need['kind'][] = ['failed', 'overdue', 'due', 'feedback', 'upload', 'assign']

/** What needs the player now: one entry a folder, its most urgent. Archived folders are left alone. */
export function needs(folders: FolderSummary[], payments: Payment[], unfinished: Unfinished[]): Need[] {
  const all = folders
    .filter(f => f.status !== 'archived')
    .flatMap((f): Need[] => {
      const about = { folder: f.id, name: f.name }
      const payment = payments.find(p => p.folder === f.id && (p.status === 'due' || p.status === 'failed'))
      if (payment) return [{ ...about, payment, kind: payment.status === 'failed' ? 'failed' : payment.overdue ? 'overdue' : 'due' }]
      if (f.status === 'feedback-given') return [{ ...about, kind: 'feedback', instructor: f.instructor?.name ?? 'Your instructor' }]
      const upload = unfinished.find(u => u.folder === f.id)
      if (upload) return [{ ...about, kind: 'upload', file: upload.name }]
      if (f.status === 'open' && f.videos > 0) return [{ ...about, kind: 'assign' }]
      return []
    })
  return all.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}
