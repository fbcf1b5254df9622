import { setQueryData } from '../client/query.ts'
import { sendCommand } from '../client/send-command.ts'
import { useCommand } from '../client/use-command.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FieldError } from '../ui/field.tsx'
import { toast } from '../ui/toast.ts'

/** Asks for confirmation, then replaces an instructor's invite code. */
export function RenewInviteCodeDialog({ onClose }: { onClose: () => void }) {
  const renew = useCommand()
  async function renewInviteCode() {
    const done = await renew.run(async () => {
      setQueryData('GET /api/invite', {}, await sendCommand('POST /api/invite', {}))
    })
    if (!done) return
    onClose()
    toast({ title: 'New code', description: 'The old one no longer works.' })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Get a new invite code?"
      about="The code and link you have shared will stop working. Players who are already connected stay connected."
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Keep the code
          </Button>
          <Button busy={renew.busy} onClick={renewInviteCode}>
            Get a new code
          </Button>
        </>
      }
    >
      <FieldError id="invite-error" error={renew.message} />
    </Dialog>
  )
}
