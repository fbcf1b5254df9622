import type { Folder, Session } from '../../../modules/folders/contract.ts'
import { currentReadMarks, instructorDeclinedOnThisDeviceMark } from '../../folders/read-marks.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/**
 * Says that the session ended without feedback. Unless this instructor declined in another tab, the browser does not know why: the player or
 * a guardian may have taken the folder back, consent may have ended, or the instructor may have declined on another device.
 */
export function SessionGoneDialog({ folder, session, onClose }: { folder: Folder; session: Session; onClose: () => void }) {
  const first = folder.player.name.split(' ')[0]
  const isDeclined = currentReadMarks().includes(instructorDeclinedOnThisDeviceMark(session.id))
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={isDeclined ? 'You have declined this folder' : 'This folder is no longer with you'}
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
      <p>{!isDeclined && `It was taken back, or returned to ${first}. `}The folders waiting for you are in your queue.</p>
    </Dialog>
  )
}
