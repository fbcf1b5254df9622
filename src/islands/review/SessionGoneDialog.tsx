import type { Folder, Session } from '../../../modules/folders/contract.ts'
import { currentReadMarks, instructorDeclinedOnThisDeviceMark } from '../../folders/read-marks.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** Says that the session ended without feedback: the player took the folder back, or this instructor declined in another tab. */
export function SessionGoneDialog({ folder, session, onClose }: { folder: Folder; session: Session; onClose: () => void }) {
  const first = folder.player.name.split(' ')[0]
  const isDeclined = currentReadMarks().includes(instructorDeclinedOnThisDeviceMark(session.id))
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={isDeclined ? 'You have declined this folder' : `${first} took this folder back`}
      about="There is nothing left to review. What you wrote here was not sent; you can copy it until you leave this screen."
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Stay here
          </Button>
          <ButtonLink href="/instructor/dashboard">Your queue</ButtonLink>
        </>
      }
    >
      <p>The folders waiting for you are in your queue.</p>
    </Dialog>
  )
}
