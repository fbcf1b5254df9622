import type { Folder } from '../../../modules/folders/contract.ts'
import { sentence, useCommand } from '../../client/command.ts'
import { refresh } from '../../client/query.ts'
import { send } from '../../client/send.ts'
import { toast } from '../../ui/toast.ts'

type Act = 'archive' | 'restore' | 'withdraw'
const done: Record<Act, [string, string]> = {
  archive: ['Archived', 'You find it below your folders, and can restore it any time.'],
  restore: ['Restored', 'The folder is back with the others.'],
  withdraw: ['Taken back', 'You can change the videos and assign it again.'],
}

/** Archive, restore, take back: commands without a body. */
export function useAct(folder: Folder) {
  const command = useCommand()
  return {
    ...command,
    act: async (what: Act) => {
      const ok = await command.run(async () => {
        try {
          await send(`POST /api/folders/{folder}/${what}`, { params: { folder: folder.id } })
        } catch (error) {
          toast({ title: 'That did not work', description: sentence(error), variant: 'destructive' })
          throw error
        } finally {
          await refresh('GET /api/folders/{folder}')
        }
      })
      if (ok) toast({ title: done[what][0], description: done[what][1] })
    },
  }
}
