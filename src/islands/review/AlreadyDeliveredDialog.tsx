import type { Folder, Session } from '../../../modules/folders/contract.ts'
import { useCommand } from '../../client/command.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { leaveDeliveredSession } from './leave-delivered-session.ts'

/** The review was delivered somewhere else meanwhile: says so, and leads on. What stands here can still be read and copied. */
export function AlreadyDeliveredDialog({ folder, session, onClose }: { folder: Folder; session: Session; onClose: () => void }) {
  const first = folder.player.name.split(' ')[0]
  const leaving = useCommand()
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title="Delivered already"
      about={
        <>
          {first} got this feedback {session.given && <RelativeTime at={session.given} />}: it was delivered in another tab or on another
          device.
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
            onClick={() => leaving.run(() => leaveDeliveredSession(session.id, 'next', `${first} has your feedback.`))}
          >
            Next review
          </Button>
        </>
      }
    >
      <p>What was written here after that is not in it. It stays on this screen, to be copied, until you leave.</p>
    </Dialog>
  )
}
