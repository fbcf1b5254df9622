import { call } from '../../client/api.ts'
import { nextReview } from '../../folders/next-review.ts'
import { sessionPath } from '../../folders/urls.ts'
import { toast } from '../../ui/toast.ts'

/** Where one goes once this session is delivered: to the next review, or to the queue; and what is said there. */
async function nextPage(delivered: string): Promise<{ path: string; about: string }> {
  const nextPage = nextReview((await call('GET /api/queue')).folders, delivered)
  if (!nextPage) return { path: '/instructor/dashboard', about: 'That was the last one: nobody waits for you.' }
  return { path: sessionPath('instructor', nextPage.id, nextPage.assignment!), about: `Next: ${nextPage.name} of ${nextPage.player.name}.` }
}

/** Leads away from a session that is delivered, to the queue or to the next review; `said` is told there. */
export async function leaveDeliveredSession(delivered: string, to: 'queue' | 'next', message: string) {
  const queue = { path: '/instructor/dashboard', about: '' }
  // It is delivered, whatever the queue says.
  const { path, about } = to === 'next' ? await nextPage(delivered).catch(() => queue) : queue
  toast({ title: 'Delivered', description: `${message} ${about}`.trim(), onward: true })
  location.assign(path)
  await new Promise(() => {})
}
