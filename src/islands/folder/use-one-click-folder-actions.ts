import type { Folder } from '../../../modules/folders/contract.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { errorMessage, useCommand } from '../../client/use-command.ts'
import { toast } from '../../ui/toast.ts'

type FolderAction = 'archive' | 'restore' | 'withdraw'
const SUCCESS_TOASTS: Record<FolderAction, [string, string]> = {
  archive: ['Archived', 'It is now below your other folders. You can restore it anytime.'],
  restore: ['Restored', 'The folder is back with your other folders.'],
  withdraw: ['Taken back', 'You can change the videos and assign it again.'],
}

/** Archives, restores or takes back (`withdraw`) a folder, each with a toast about the outcome. */
export function useOneClickFolderActions(folder: Folder) {
  const command = useCommand()
  return {
    ...command,
    perform: async (action: FolderAction) => {
      const ok = await command.run(async () => {
        try {
          const params = { folder: folder.id }
          const shown = folder.approval?.status === 'pending' ? folder.approval.id : folder.assignment
          await (action === 'withdraw'
            ? sendCommand('POST /api/folders/{folder}/withdraw', { params, query: { session: shown ?? undefined } })
            : sendCommand(`POST /api/folders/{folder}/${action}`, { params }))
        } catch (error) {
          toast({ title: 'That did not work', description: errorMessage(error), variant: 'destructive' })
          throw error
        } finally {
          await refetchQueries('GET /api/folders/{folder}')
        }
      })
      const [title, description] = SUCCESS_TOASTS[action]
      if (ok) toast({ title, description })
    },
  }
}
