import { Suspense, useState } from 'react'
import type { InstructorVetting } from '../../../modules/vetting/contract.ts'
import { DEFAULT_FEATURED_DAYS } from '../../../modules/vetting/policy.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FormError } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { LazyDecisionWithReasonDialog } from './lazy-dialogs.ts'
import { QUERIES_TO_REFETCH_AFTER_VETTING } from './queries-to-refetch-after-vetting.ts'

/** The decisions that an administrator can make about an instructor in their current status. */
export function VettingDecisionButtons({ instructor: i, name }: { instructor: InstructorVetting; name: string }) {
  const [asking, setAsking] = useState<'decline' | 'suspend'>()
  const [running, setRunning] = useState<string>()
  const command = useCommand()
  const params = { instructor: i.id }
  const decide = async (title: string, act: () => Promise<unknown>) => {
    setRunning(title)
    const done = await command.run(act)
    await refetchQueries(...QUERIES_TO_REFETCH_AFTER_VETTING)
    setRunning(undefined)
    if (done) toast({ title })
  }
  const button = (label: string, title: string, variant: 'primary' | 'secondary' | 'quiet', act: () => Promise<unknown>) => (
    <Button variant={variant} busy={running === title} aria-label={`${label}: ${name}`} onClick={() => decide(title, act)}>
      {label}
    </Button>
  )
  const approve = () =>
    button('Approve', `${name} is approved`, 'primary', () => sendCommand('POST /api/admin/instructors/{instructor}/approve', { params }))
  const feature = (days: number) => () => sendCommand('POST /api/admin/instructors/{instructor}/feature', { params, body: { days } })
  return (
    <footer className="flex flex-col gap-3 border-t border-line p-4 sm:px-6">
      <FormError>{command.message}</FormError>
      <div className="flex flex-wrap gap-2">
        {(i.status === 'pending' || i.status === 'declined') && i.emailConfirmed && approve()}
        {i.status === 'suspended' &&
          button('Reinstate', `${name} is reinstated`, 'primary', () =>
            sendCommand('POST /api/admin/instructors/{instructor}/reinstate', { params }),
          )}
        {!i.emailConfirmed &&
          button(
            'Send the confirmation email again',
            `An email is on its way to ${name}`,
            i.status === 'pending' ? 'primary' : 'secondary',
            () => sendCommand('POST /api/admin/instructors/{instructor}/email-confirmation', { params }),
          )}
        {i.status === 'approved' &&
          (i.featuredUntil
            ? button('Stop featuring', `${name} is no longer featured`, 'secondary', feature(0))
            : button(`Feature for ${DEFAULT_FEATURED_DAYS} days`, `${name} is featured`, 'secondary', feature(DEFAULT_FEATURED_DAYS)))}
        {i.status === 'approved' && i.profileSlug && (
          <ButtonLink variant="quiet" href={`/i/${i.profileSlug}`} aria-label={`Public profile of ${name}`}>
            Public profile
          </ButtonLink>
        )}
        <ButtonLink variant="quiet" href={`/admin/dashboard?stream=vetting-${i.id}`} aria-label={`History of ${name}`}>
          History
        </ButtonLink>
        {i.status === 'pending' && (
          <Button variant="quiet" className="text-red! sm:ml-auto" aria-label={`Decline: ${name}`} onClick={() => setAsking('decline')}>
            Decline
          </Button>
        )}
        {i.status === 'approved' && (
          <Button variant="quiet" className="text-red! sm:ml-auto" aria-label={`Suspend: ${name}`} onClick={() => setAsking('suspend')}>
            Suspend
          </Button>
        )}
      </div>
      <Suspense fallback={null}>
        {asking && (
          <LazyDecisionWithReasonDialog
            command={{ what: asking, instructor: i.id }}
            title={asking === 'suspend' ? `Suspend ${name}?` : `Decline ${name}?`}
            about="Players can no longer reach them. Open sessions are returned to their players, and nobody is billed for them."
            hint={`${i.firstName} sees this in an email and on their dashboard.`}
            action={asking === 'suspend' ? 'Suspend' : 'Decline'}
            onClose={() => setAsking(undefined)}
          />
        )}
      </Suspense>
    </footer>
  )
}
