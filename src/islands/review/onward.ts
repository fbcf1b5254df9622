import { call } from '../../client/api.ts'
import { nextReview } from '../../folders/next-review.ts'
import { sessionPath } from '../../folders/urls.ts'
import { toast } from '../../ui/toast.ts'

/** Where one goes once this session is delivered: to the next review, or to the queue; and what is said there. */
async function next(delivered: string): Promise<{ path: string; about: string }> {
  const next = nextReview((await call('GET /api/queue')).folders, delivered)
  if (!next) return { path: '/instructor/dashboard', about: 'That was the last one: nobody waits for you.' }
  return { path: sessionPath('instructor', next.id, next.assignment!), about: `Next: ${next.name} of ${next.player.name}.` }
}

/** Leads away from a session that is delivered, to the queue or to the next review; `said` is told there. */
export async function onward(delivered: string, to: 'queue' | 'next', said: string) {
  const queue = { path: '/instructor/dashboard', about: '' }
  // It is delivered, whatever the queue says.
  const { path, about } = to === 'next' ? await next(delivered).catch(() => queue) : queue
  toast({ title: 'Delivered', description: `${said} ${about}`.trim(), onward: true })
  location.assign(path)
  await new Promise(() => {})
}
