import type { Folder, Session } from '../../../modules/folders/contract.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { leaveStudioAfterDelivery } from './leave-delivered-session.ts'

/** Says that the review was delivered in another tab or on another device. The text in this tab can still be read and copied. */
export function AlreadyDeliveredDialog({ folder, session, onClose }: { folder: Folder; session: Session; onClose: () => void }) {
  const first = folder.player.name.split(' ')[0]!
  const delivered = { folder: folder.id, session: session.id, player: first, undoMs: 0 }
  const leaving = useCommand()
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title="Already delivered"
      about={
        <>
          {session.given ? (
            <>
              {first} got this feedback <RelativeTime at={session.given} />
            </>
          ) : (
            `${first} is getting this feedback`
          )}
          : it was delivered in another tab or on another device.
        </>
      }
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Stay here
          </Button>
          <Button variant="secondary" onClick={() => location.reload()}>
            See what {first} got
          </Button>
          <Button
            busy={leaving.busy}
            onClick={() => leaving.run(() => leaveStudioAfterDelivery(delivered, 'next', `${first} has your feedback.`))}
          >
            Next review
          </Button>
        </>
      }
    >
      <p>What you wrote here after that was not delivered. You can copy it until you leave this screen.</p>
    </Dialog>
  )
}
