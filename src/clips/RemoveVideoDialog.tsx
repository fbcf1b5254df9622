import type { Video } from '../../modules/folders/contract.ts'
import { refetchQueries } from '../client/query.ts'
import { sendCommand } from '../client/send-command.ts'
import { useCommand } from '../client/use-command.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FieldError } from '../ui/field.tsx'

export function RemoveVideoDialog({ folder, clip, onClose }: { folder: string; clip: Video; onClose: () => void }) {
  const remove = useCommand()
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title="Remove this video?"
      about={`This removes ${clip.name} from the folder. The file on your device is not affected.`}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Keep video
          </Button>
          <Button
            variant="danger"
            busy={remove.busy}
            onClick={async () => {
              const done = await remove.run(async () => {
                await sendCommand('DELETE /api/folders/{folder}/videos/{video}', { params: { folder, video: clip.id } })
                await refetchQueries('GET /api/folders/{folder}')
              })
              if (done) onClose()
            }}
          >
            Remove video
          </Button>
        </>
      }
    >
      <FieldError id="remove-error" error={remove.message} />
    </Dialog>
  )
}
