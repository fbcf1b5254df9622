import { callApi } from '../../client/api.ts'
import { navigateAndWaitForReturn } from '../../client/navigate-and-wait-for-return.ts'
import { sessionPath } from '../../folders/folder-page-urls-and-query.ts'
import { storeHeldDelivery } from '../../folders/held-delivery-storage.ts'
import { nextReview } from '../../folders/next-folder-in-instructor-queue.ts'
import { toast } from '../../ui/toast.ts'

/** Returns the page to show after a delivery (the next review, or the queue if there is none) and a sentence about it. */
async function nextPage(delivered: string): Promise<{ path: string; about: string }> {
  const nextPage = nextReview((await callApi('GET /api/queue')).folders, delivered)
  if (!nextPage) return { path: '/instructor/dashboard', about: 'That was the last one. Your queue is empty.' }
  return {
    path: sessionPath('instructor', nextPage.id, nextPage.assignment!),
    about: `Next: ${nextPage.name} from ${nextPage.player.name}.`,
  }
}

interface DeliveredSession {
  folder: string
  session: string
  /** The player's first name. */
  player: string
  /** How long the delivery can still be undone, in ms; 0 once it is final. */
  undoMs: number
}

/**
 * Navigates from a delivered session to the queue or the next review. That page offers to undo the delivery, or shows a toast if the
 * delivery is final. Resolves only if the instructor comes back to this page or stays on it.
 */
export async function leaveStudioAfterDelivery({ undoMs, ...delivered }: DeliveredSession, to: 'queue' | 'next', message: string) {
  const until = Date.now() + undoMs
  const queue = { path: '/instructor/dashboard', about: '' }
  // The session is delivered even if the queue fails to load.
  const { path, about } = to === 'next' ? await nextPage(delivered.session).catch(() => queue) : queue
  if (undoMs) storeHeldDelivery({ ...delivered, about, until })
  else toast({ title: 'Delivered', description: `${message} ${about}`.trim(), onward: true })
  await navigateAndWaitForReturn(path)
}
