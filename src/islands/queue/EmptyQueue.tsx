import { Copy } from 'lucide-react'
import { callApi } from '../../client/api.ts'
import { useQuery } from '../../client/query.ts'
import { useCommand } from '../../client/use-command.ts'
import { copyInviteLink } from '../../instructors/InstructorInviteLinkCard.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-and-error-states.tsx'
import { FieldError } from '../../ui/field.tsx'

/**
 * Shown for an empty queue: what will appear here, and the invite link. `slug`: the slug of the instructor's public page; null if there is
 * none yet, undefined if the profile did not load. `isClosed`: true if the invite link does not work, because the instructor is suspended,
 * declined or leaving.
 */
export function EmptyQueue({ slug, isClosed }: { slug: string | null | undefined; isClosed: boolean }) {
  const { data } = useQuery('GET /api/invite')
  const copying = useCommand()
  if (isClosed) return <EmptyState title="Your queue is empty">No player can send you folders right now.</EmptyState>
  return (
    <EmptyState
      title="Your queue is empty"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button
            icon={<Copy aria-hidden="true" size={20} strokeWidth={1.75} />}
            busy={copying.busy}
            onClick={() => copying.run(async () => copyInviteLink((data ?? (await callApi('GET /api/invite'))).url))}
          >
            Copy invite link
          </Button>
          {slug && (
            <ButtonLink variant="quiet" href={`/i/${slug}`}>
              See your page
            </ButtonLink>
          )}
        </div>
      }
    >
      When a player assigns you a folder, it waits here, oldest first. Send your players the invite link to get started.
      <FieldError id="copying-error" error={copying.message} />
    </EmptyState>
  )
}
