import { call } from '../../client/api.ts'
import { nextReview } from '../../folders/next-review.ts'
import { sessionPath } from '../../folders/urls.ts'
import { toast } from '../../ui/toast.ts'

/** The page after a delivery: the next review, or the queue where there is none, with a sentence about it. */
async function nextPage(delivered: string): Promise<{ path: string; about: string }> {
  const nextPage = nextReview((await call('GET /api/queue')).folders, delivered)
  if (!nextPage) return { path: '/instructor/dashboard', about: 'That was the last one. Your queue is empty.' }
  return { path: sessionPath('instructor', nextPage.id, nextPage.assignment!), about: `Next: ${nextPage.name} of ${nextPage.player.name}.` }
}

/** Navigates from a delivered session to the queue or the next review, where a toast shows the message. Never resolves. */
export async function leaveDeliveredSession(delivered: string, to: 'queue' | 'next', message: string) {
  const queue = { path: '/instructor/dashboard', about: '' }
  // The session is delivered even if the queue cannot be loaded.
  const { path, about } = to === 'next' ? await nextPage(delivered).catch(() => queue) : queue
  toast({ title: 'Delivered', description: `${message} ${about}`.trim(), onward: true })
  location.assign(path)
  await new Promise(() => {})
}
