import { Undo2 } from 'lucide-react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'

/** Lets the guardian take a folder back from the instructor as long as the review has not started. */
export function TakeBackSession({ folder, child }: { folder: Folder; child: string }) {
  const command = useCommand()
  const takeBack = async () => {
    const done = await command.run(() =>
      sendCommand('POST /api/family/folders/{folder}/withdraw', {
        params: { folder: folder.id },
        query: { session: folder.assignment ?? undefined },
      }).finally(() => refetchQueries('GET /api/family/folders/{folder}')),
    )
    if (done) toast({ title: 'Taken back', description: `Nothing is charged, and ${child} has the folder again.` })
  }
  return (
    <div className="mb-6 flex flex-col items-start gap-3 rounded-card border border-line bg-paper p-4 sm:p-6">
      <p>Until the review starts, you can take this folder back from the instructor. Nothing is charged for it.</p>
      <Button variant="secondary" busy={command.busy} icon={<Undo2 aria-hidden="true" size={20} strokeWidth={1.75} />} onClick={takeBack}>
        Take it back
      </Button>
      <FormError>{command.message}</FormError>
    </div>
  )
}
